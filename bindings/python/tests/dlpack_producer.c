/* A producer and consumer of DLPack by hand, for what numpy and JAX do not make.
 *
 * capsule(address, shape, strides, dtype, version, flags, device, byte_offset, ndim, keep)
 *     shape and strides are tuples or None (NULL), dtype is (code, bits, lanes), version (major, minor) or None for the
 *     unversioned struct; keep is held until the deleter runs, which counts, and scribbles over the struct
 * counts()                     how many structs were made, and how many deleted
 * read(capsule)                the struct's fields; the capsule is not consumed
 * release_on_thread(capsule)   consumes it, and calls the deleter on a thread that has no interpreter
 * release_at_exit(capsule)     consumes it, and calls the deleter when the process ends
 * table(major, previous)       a table of C functions, whose export calls the method "versioned" of the object
 * table_...                    what the table of another type does
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dlpack_structs.h"

static const char *versioned_name = "dltensor_versioned", *unversioned_name = "dltensor";
static const char *used_versioned = "used_dltensor_versioned";
static const char *table_name = "dlpack_exchange_api";

static atomic_long made, deleted;

typedef struct {
    union {
        Versioned versioned;
        Unversioned unversioned;
    } managed;
    PyObject *keep;
    int64_t dims[128];
} Made;

static void end(Made *self) {
    atomic_fetch_add(&deleted, 1);
    if (self->keep && Py_IsInitialized()) {
        PyGILState_STATE state = PyGILState_Ensure();
        Py_DECREF(self->keep);
        PyGILState_Release(state);
    }
    memset(self, 0xaa, sizeof *self);
    free(self);
}

static void end_versioned(Versioned *managed) { end(managed->context); }
static void end_unversioned(Unversioned *managed) { end(managed->context); }

static void destroy(PyObject *capsule) {
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    if (PyCapsule_IsValid(capsule, versioned_name)) {
        Versioned *managed = PyCapsule_GetPointer(capsule, versioned_name);
        managed->deleter(managed);
    } else if (PyCapsule_IsValid(capsule, unversioned_name)) {
        Unversioned *managed = PyCapsule_GetPointer(capsule, unversioned_name);
        managed->deleter(managed);
    }
    PyErr_Restore(kind, value, trace);
}

static int read_dims(PyObject *tuple, int64_t *out, int64_t **where) {
    *where = NULL;
    if (tuple == Py_None) return 0;
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0) return -1;
    for (Py_ssize_t k = 0; k < count && k < 64; k++) out[k] = PyLong_AsLongLong(PyTuple_GetItem(tuple, k));
    *where = out;
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *capsule(PyObject *self, PyObject *args) {
    (void)self;
    unsigned long long address, flags, byte_offset;
    PyObject *shape, *strides, *version, *keep;
    int code, bits, lanes, device_type, device_id, ndim;
    if (!PyArg_ParseTuple(args, "KOO(iii)OK(ii)KiO", &address, &shape, &strides, &code, &bits, &lanes, &version, &flags,
                          &device_type, &device_id, &byte_offset, &ndim, &keep))
        return NULL;
    Made *one = calloc(1, sizeof *one);
    if (!one) return PyErr_NoMemory();
    Array array = {.data = (void *)(uintptr_t)address,
                   .device_type = device_type,
                   .device_id = device_id,
                   .ndim = ndim,
                   .code = (uint8_t)code,
                   .bits = (uint8_t)bits,
                   .lanes = (uint16_t)lanes,
                   .byte_offset = byte_offset};
    unsigned major = 0, minor = 0;
    if (read_dims(shape, one->dims, &array.shape) || read_dims(strides, one->dims + 64, &array.strides) ||
        (version != Py_None && !PyArg_ParseTuple(version, "II", &major, &minor))) {
        free(one);
        return NULL;
    }
    if (version == Py_None) one->managed.unversioned = (Unversioned){array, one, end_unversioned};
    else one->managed.versioned = (Versioned){major, minor, one, end_versioned, flags, array};
    one->keep = keep == Py_None ? NULL : Py_NewRef(keep);
    atomic_fetch_add(&made, 1);
    return PyCapsule_New(one, version == Py_None ? unversioned_name : versioned_name, destroy);
}

static PyObject *counts(PyObject *self, PyObject *args) {
    (void)self, (void)args;
    return Py_BuildValue("ll", atomic_load(&made), atomic_load(&deleted));
}

static PyObject *dims(const int64_t *from, int count) {
    if (!from) return Py_NewRef(Py_None);
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; k++) PyTuple_SetItem(tuple, k, PyLong_FromLongLong(from[k]));
    return tuple;
}

static PyObject *read_capsule(PyObject *self, PyObject *capsule) {
    (void)self;
    Array *array;
    PyObject *version = NULL;
    unsigned long long flags = 0;
    if (PyCapsule_IsValid(capsule, versioned_name)) {
        Versioned *managed = PyCapsule_GetPointer(capsule, versioned_name);
        version = Py_BuildValue("II", managed->major, managed->minor);
        array = &managed->array;
        flags = managed->flags;
    } else {
        Unversioned *managed = PyCapsule_GetPointer(capsule, unversioned_name);
        if (!managed) return NULL;
        version = Py_NewRef(Py_None);
        array = &managed->array;
    }
    return Py_BuildValue("{sN sK sK s(ii) s(iii) sN sN sK}", "version", version, "flags", flags, "address",
                         (unsigned long long)(uintptr_t)array->data, "device", (int)array->device_type,
                         (int)array->device_id, "dtype", (int)array->code, (int)array->bits, (int)array->lanes, "shape",
                         dims(array->shape, array->ndim), "strides", dims(array->strides, array->ndim), "byte_offset",
                         (unsigned long long)array->byte_offset);
}

static Versioned *taken(PyObject *capsule) {
    Versioned *managed = PyCapsule_GetPointer(capsule, versioned_name);
    return managed && PyCapsule_SetName(capsule, used_versioned) == 0 ? managed : NULL;
}

static void *run_deleter(void *pointer) {
    Versioned *managed = pointer;
    managed->deleter(managed);
    return NULL;
}

static PyObject *release_on_thread(PyObject *self, PyObject *capsule) {
    (void)self;
    Versioned *managed = taken(capsule);
    if (!managed) return NULL;
    int failed;
    Py_BEGIN_ALLOW_THREADS;
    pthread_t thread;
    failed = pthread_create(&thread, NULL, run_deleter, managed);
    if (!failed) failed = pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS;
    if (failed) return PyErr_Format(PyExc_OSError, "no thread: %d", failed);
    Py_RETURN_NONE;
}

static Versioned *at_exit;

static void run_at_exit(void) { run_deleter(at_exit); }

static PyObject *release_at_exit(PyObject *self, PyObject *capsule) {
    (void)self;
    at_exit = taken(capsule);
    if (!at_exit || atexit(run_at_exit)) return NULL;
    Py_RETURN_NONE;
}

/* ---- the table of C functions ---- */

static int exported(void *object, Versioned **out) {
    PyObject *made_capsule = PyObject_CallMethod(object, "versioned", NULL);
    if (!made_capsule) return -1;
    *out = taken(made_capsule);
    Py_DECREF(made_capsule);
    return *out ? 0 : -1;
}

static PyObject *make_table(PyObject *self, PyObject *args) {
    (void)self;
    unsigned major;
    PyObject *previous;
    if (!PyArg_ParseTuple(args, "IO", &major, &previous)) return NULL;
    Table *table = calloc(1, sizeof *table); /* kept for ever, as DLPack wants it */
    if (!table) return PyErr_NoMemory();
    table->header.major = major;
    if (previous != Py_None) table->header.previous = PyCapsule_GetPointer(previous, table_name);
    table->from_python = exported;
    return PyErr_Occurred() ? NULL : PyCapsule_New(table, table_name, NULL);
}

static Table *table_of(PyObject *type) {
    PyObject *found = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
    Table *table = found ? PyCapsule_GetPointer(found, table_name) : NULL;
    Py_XDECREF(found);
    return table;
}

static PyObject *table_about(PyObject *self, PyObject *type) {
    (void)self;
    Table *table = table_of(type);
    if (!table) return NULL;
    return Py_BuildValue("(II)OO", table->header.major, table->header.minor,
                         table->header.previous ? Py_True : Py_False, table->borrow ? Py_True : Py_False);
}

static PyObject *table_export(PyObject *self, PyObject *object) {
    (void)self;
    Table *table = table_of((PyObject *)Py_TYPE(object));
    Versioned *managed = NULL;
    if (!table || table->from_python(object, &managed)) return NULL;
    return PyCapsule_New(managed, versioned_name, destroy);
}

static PyObject *table_import(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *type, *capsule;
    void *made_object = NULL;
    if (!PyArg_ParseTuple(args, "OO", &type, &capsule)) return NULL;
    Table *table = table_of(type);
    Versioned *managed = table ? PyCapsule_GetPointer(capsule, versioned_name) : NULL;
    if (!managed || table->to_python(managed, &made_object)) return NULL; /* the capsule has it still */
    if (PyCapsule_SetName(capsule, used_versioned)) return NULL;
    return made_object;
}

static void note(void *context, const char *kind, const char *message) {
    PyGILState_STATE state = PyGILState_Ensure();
    *(PyObject **)context = Py_BuildValue("ss", kind, message);
    PyGILState_Release(state);
}

/* A capsule, or the kind and the text of the error. */
static PyObject *table_allocate(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *type, *shape, *error = NULL;
    int code, bits, lanes, device, status;
    if (!PyArg_ParseTuple(args, "OO(iii)i", &type, &shape, &code, &bits, &lanes, &device)) return NULL;
    int64_t sizes[64];
    Array prototype = {.device_type = device,
                       .ndim = (int32_t)PyTuple_Size(shape),
                       .code = (uint8_t)code,
                       .bits = (uint8_t)bits,
                       .lanes = (uint16_t)lanes};
    Table *table = table_of(type);
    if (!table || read_dims(shape, sizes, &prototype.shape)) return NULL;
    Versioned *managed = NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = table->allocate(&prototype, &managed, &error, note);
    Py_END_ALLOW_THREADS;
    return status ? error : PyCapsule_New(managed, versioned_name, destroy);
}

static PyObject *table_stream(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *type;
    int kind, id;
    if (!PyArg_ParseTuple(args, "Oii", &type, &kind, &id)) return NULL;
    Table *table = table_of(type);
    void *stream = &made;
    if (!table || table->current_stream(kind, id, &stream)) return NULL;
    return PyLong_FromVoidPtr(stream);
}

static PyMethodDef methods[] = {{"capsule", capsule, METH_VARARGS, NULL},
                                {"counts", counts, METH_NOARGS, NULL},
                                {"read", read_capsule, METH_O, NULL},
                                {"release_on_thread", release_on_thread, METH_O, NULL},
                                {"release_at_exit", release_at_exit, METH_O, NULL},
                                {"table", make_table, METH_VARARGS, NULL},
                                {"table_about", table_about, METH_O, NULL},
                                {"table_export", table_export, METH_O, NULL},
                                {"table_import", table_import, METH_VARARGS, NULL},
                                {"table_allocate", table_allocate, METH_VARARGS, NULL},
                                {"table_stream", table_stream, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "dlpack_producer", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_dlpack_producer(void) { return PyModule_Create(&definition); }
