/* The other ways to ask for the time, for a library that replaces clock_gettime. */
#include <sys/time.h>
#include <time.h>

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exactly;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exactly);
    *now = (struct timeval){exactly.tv_sec, exactly.tv_nsec / 1000};
    return 0;
}
