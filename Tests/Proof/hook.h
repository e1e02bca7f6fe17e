/* Functions of libc, replaced by those of a library that is loaded before it (ld.so(8), LD_PRELOAD). Each takes integers and
   pointers alone, which have one size and the same registers whatever their types and number: one shape fits all of them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>

typedef long word;
typedef word function(word, word, word, word, word, word, word);

/* `real` is libc's own, `all` what it is called with. */
#define ALL a, b, c, d, e, f, g
#define HOOK(name, ...) \
    word hook_##name(word, word, word, word, word, word, word) __asm__(#name); \
    word hook_##name(word a, word b, word c, word d, word e, word f, word g) { \
        static function *real; \
        if (!real) real = (function *)dlsym(RTLD_NEXT, #name); \
        __VA_ARGS__ \
    }
/* Many have a second name, for files of any size. */
#define TWICE(name, ...) HOOK(name, __VA_ARGS__) HOOK(name##64, __VA_ARGS__)
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
