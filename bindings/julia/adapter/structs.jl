# DLPack's structs, as its header lays them out.

struct DLArray
    data::Ptr{UInt8}
    device_type::Int32
    device_id::Int32
    ndim::Int32
    code::UInt8
    bits::UInt8
    lanes::UInt16
    shape::Ptr{Int64}
    strides::Ptr{Int64}
    byte_offset::UInt64
end

struct DLVersioned
    major::UInt32
    minor::UInt32
    context::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
    flags::UInt64
    array::DLArray
end

struct DLUnversioned
    array::DLArray
    context::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
end

struct_type(versioned) = versioned ? DLVersioned : DLUnversioned

numbers(pointer, count) = [unsafe_load(pointer, k) for k in 1:count]

# The elements in row-major order.
function struct_values(array::DLArray)
    width = cld(Int(array.bits) * array.lanes, 8)
    shape = numbers(array.shape, array.ndim)
    strides = array.strides == C_NULL ? reverse(cumprod([1; reverse(shape)])[1:length(shape)]) :
        numbers(array.strides, array.ndim)
    offsets = [0]
    for (extent, stride) in zip(shape, strides)
        offsets = [at + k * stride for at in offsets for k in 0:(extent - 1)]
    end
    bytes = UInt8[]
    for at in offsets
        append!(bytes, numbers(array.data + array.byte_offset + at * width, width))
    end
    return bytes
end

struct_out(array::DLArray) = present(
    "device_type" => array.device_type, "device_id" => array.device_id, "code" => array.code, "bits" => array.bits,
    "lanes" => array.lanes, "shape" => wides(numbers(array.shape, array.ndim)),
    "strides" => array.strides == C_NULL ? nothing : wides(numbers(array.strides, array.ndim)),
    "byte_offset" => wide(array.byte_offset),
)

function perform(::Val{:dlpack_export}, request)
    settle()
    before = Hurray.live_handles()
    tensor = item_in(request["item"])
    versioned = request["versioned"]
    pointer = Hurray.to_dlpack(tensor; versioned = versioned)
    close(tensor)
    managed = unsafe_load(Ptr{struct_type(versioned)}(pointer))
    found = struct_out(managed.array)
    if versioned
        found["version"] = [Int(managed.major), Int(managed.minor)]
        found["flags"] = wide(managed.flags)
    end
    values = hex(struct_values(managed.array))
    ccall(managed.deleter, Cvoid, (Ptr{Cvoid},), pointer)
    settle()
    return ok("struct" => found, "values" => values, "live" => Hurray.live_handles() - before)
end

const DELETED = Ref(0)
count_deletion(_::Ptr{Cvoid}) = (DELETED[] += 1; nothing)

# A function of its own, so that nothing of the tensor is left in the frame of the request.
@noinline function taken(pointer, versioned)
    tensor = Hurray.from_dlpack(pointer; versioned = versioned)
    item = item_out(tensor)
    close(tensor)
    return item
end

function perform(::Val{:dlpack_import}, request)
    given, data, versioned = request["struct"], unhex(request["data"]), request["versioned"]
    room = zeros(UInt8, length(data) + 64)
    start = pointer(room) + (-UInt(pointer(room))) % 64
    shape = collect(Int64, integers(given["shape"]))
    strides = get(given, "strides", nothing) === nothing ? nothing : collect(Int64, integers(given["strides"]))
    DELETED[] = 0
    deleter = @cfunction(count_deletion, Cvoid, (Ptr{Cvoid},))
    GC.@preserve room data shape strides begin
        unsafe_copyto!(start, pointer(data), length(data))
        array = DLArray(
            start, given["device_type"], given["device_id"], length(shape), given["code"], given["bits"],
            given["lanes"], pointer(shape), strides === nothing ? C_NULL : pointer(strides), integer(given["byte_offset"]),
        )
        managed = Ref(
            versioned ? DLVersioned(given["version"]..., C_NULL, deleter, integer(given["flags"]), array) :
            DLUnversioned(array, C_NULL, deleter),
        )
        GC.@preserve managed begin
            answered = try
                item = taken(pointer_from_objref(managed), versioned)
                settle()
                ok("item" => item)
            catch failure
                failure isa HurrayError || rethrow()
                Dict{String,Any}("status" => failure.status, "message" => failure.message)
            end
            answered["deleted"] = DELETED[]
            return answered
        end
    end
end
