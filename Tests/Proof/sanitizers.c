// Linked into each program that `sanitizers` builds: the options of the sanitizer, what it cannot know, and what it is not
// to report. Options in the environment would not reach the programs that the tests start with one of their own.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#define COMMON "log_path=" REPORTS ":external_symbolizer_path=" SYMBOLIZER ":exitcode=0:print_suppressions=0:"

// ignore_noninstrumented_modules: Swift's runtime counts references with atomics that the sanitizer does not see, so that
// the end of an object would race with all who ever used it.
const char *__tsan_default_options(void) { return COMMON "ignore_noninstrumented_modules=1:history_size=4"; }

// detect_stack_use_after_return: an asynchronous function leaves its frame without the return at which it is noted.
const char *__asan_default_options(void) { return COMMON "detect_leaks=1:detect_stack_use_after_return=0"; }

// A program that strace(1) follows cannot be searched, and would end with another status.
int __lsan_is_turned_off(void) {
    char line[256];
    int tracer = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file) && !sscanf(line, "TracerPid: %d", &tracer)) {}
    if (file) fclose(file);
    return tracer != 0;
}

// formWeakReference: the object that weak references lead to holds its address shifted, where nobody looks for one.
const char *__lsan_default_suppressions(void) { return "leak:formWeakReference\n"; }

// A Mutex of Swift's is an atomic while nobody else wants it, and then a lock that the kernel hands on (futex(2),
// FUTEX_LOCK_PI). Of the second the sanitizer sees nothing, so it is told here: these stand before the functions of
// libswiftSynchronization. Swift passes `self` in a register of its own.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT _Bool try_lock_slow(SELF void *mutex) __asm__(TRY);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    static SWIFT void (*real)(uint32_t, SELF void *);
    if (!real) real = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
    real(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool try_lock_slow(SELF void *mutex) {
    static SWIFT _Bool (*real)(SELF void *);
    if (!real) real = (SWIFT _Bool (*)(SELF void *))dlsym(RTLD_NEXT, TRY);
    _Bool is_held = real(mutex);
    if (is_held && __tsan_acquire) __tsan_acquire(mutex);
    return is_held;
}

SWIFT void unlock_slow(SELF void *mutex) {
    static SWIFT void (*real)(SELF void *);
    if (!real) real = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    real(mutex);
}
