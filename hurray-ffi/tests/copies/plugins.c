/* Loads two packages that each bring their own library, and passes a tensor from the first to the second. */
#include "hurray.h"

#include <dlfcn.h>
#include <stdio.h>

typedef struct {
    const void *(*library)(void);
    HurrayTensor *(*make)(void *);
    int (*take)(HurrayTensor *);
} Plugin;

static int load(Plugin *plugin, const char *path) {
    void *image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!image) return printf("%s\n", dlerror()), 0;
    *(void **)&plugin->library = dlsym(image, "plugin_library");
    *(void **)&plugin->make = dlsym(image, "plugin_make");
    *(void **)&plugin->take = dlsym(image, "plugin_take");
    return plugin->library && plugin->make && plugin->take;
}

int main(int count, char **paths) {
    unsigned char memory[4] = {5, 6, 7, 8};
    Plugin one, two;
    if (count != 3 || !load(&one, paths[1]) || !load(&two, paths[2])) return 1;
    int same = one.library() == two.library();
    int value = two.take(one.make(memory));
    printf("plugins.c: same copy %d, value %d: %d passed, %d failed\n", same, value, same + (value == 7),
           2 - same - (value == 7));
    return same && value == 7 ? 0 : 1;
}
