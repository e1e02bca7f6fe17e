// Puts links into the favorites folder of a mirror and tells how long it takes until they are remembered, or noticed.
// Remembered is what the history has a line of, once it is on the disk: whoever sees the line syncs the file, too.
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: favorites single ROOT FILES COUNT         median and 99th percentile until remembered, in ms, and\n"
    "                                                 those of a plain loop that does it without looking, beside it\n"
    "       favorites burst ROOT FILES COUNT          s until all are remembered, from the last and from the first\n"
    "       favorites plain ROOT FILE                 s for a plain loop, and how many the mirror has lost\n"
    "       favorites noticed ROOT FILES COUNT <WORDS median and 99th percentile until words name it, in ms\n"
    "FILES has a line for each file that there is to link to, as 2026/11/2026-11-20 Orion Rising.jpg.\n";

// ms between links; µs between looks at the history; bytes of a name or target
enum { apart = 20, looks = 30, longest = 4096 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void rest(long microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&time, NULL);
}

static void *checked(void *memory) {
    if (!memory) err(1, "memory");
    return memory;
}

// MARK: - Links

static char **files;
static int file_count;

static void read_files(const char *list) {
    FILE *stream = fopen(list, "r");
    if (!stream) err(1, "%s", list);
    char *line = NULL;
    size_t size = 0;
    for (ssize_t length; (length = getline(&line, &size, stream)) > 0; line = NULL, size = 0) {
        line[length - 1] = 0;
        files = checked(realloc(files, (file_count + 1) * sizeof *files));
        files[file_count++] = line;
    }
    fclose(stream);
    if (file_count == 0) errx(1, "%s is empty", list);
}

static int open_favorites(const char *root) {
    char path[longest];
    snprintf(path, sizeof path, "%s/favorites", root);
    int folder = open(path, O_RDONLY | O_DIRECTORY);
    if (folder < 0) err(1, "%s", path);
    return folder;
}

// A name of its own and a target as the mirror writes it.
static void make_link(int folder, int number, char name[longest]) {
    const char *file = files[number % file_count];
    char target[longest];
    snprintf(name, longest, "%06d %s", number, strrchr(file, '/') + 1);
    snprintf(target, sizeof target, "../%s", file);
    if (symlinkat(target, folder, name) != 0) err(1, "%s", name);
}

// MARK: - The history

static int open_history(const char *root) {
    char path[longest];
    snprintf(path, sizeof path, "%s/.apod-mirror/history", root);
    int file = open(path, O_RDWR | O_CREAT, 0644);
    if (file < 0) err(1, "%s", path);
    return file;
}

// Reads on; returns the number of whole lines that name a link, and adds them to `names`, if that is given.
static long read_lines(int file, const char *wanted, FILE *names) {
    static char rest[1 << 20];
    static size_t kept;
    long count = 0;
    for (ssize_t length; (length = read(file, rest + kept, sizeof rest - 1 - kept)) > 0;) {
        kept += length;
        rest[kept] = 0;
        char *line = rest;
        for (char *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = 0;
            char *name = strstr(line, "\"change\":\"came\"") ? strstr(line, "\"link\":\"") : NULL;
            if (!name || !strchr(name += 8, '"')) continue;
            *strchr(name, '"') = 0;
            if (names) fprintf(names, "%s\n", name);
            if (!wanted || !strcmp(name, wanted)) count++;
        }
        kept -= line - rest;
        memmove(rest, line, kept);
    }
    return count;
}

static void bring_to_disk(int file) {
    if (fdatasync(file) != 0) err(1, "sync");
}

// MARK: - One at a time

// What the names appear in, once the program beside the mirror has noticed them.
static void wait_for_words(const char *name) {
    char *line = NULL;
    size_t size = 0;
    do {
        if (getline(&line, &size, stdin) < 0) errx(1, "%s has not been noticed", name);
    } while (!strstr(line, name));
    free(line);
}

static void wait_for_line(int history, const char *name) {
    for (double end = now() + 30; read_lines(history, name, NULL) == 0; rest(looks))
        if (now() > end) errx(1, "%s has not been remembered", name);
    bring_to_disk(history);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// What nobody can do without: the link, its folder on the disk, and a line in a file.
static void make_plainly(int folder, int file, int number) {
    char name[longest];
    make_link(folder, number, name);
    if (fsync(folder) != 0 || dprintf(file, "{\"link\":\"%s\"}\n", name) < 0) err(1, "write");
    bring_to_disk(file);
}

static int open_beside(const char *root, const char *name, int flags) {
    char path[longest];
    snprintf(path, sizeof path, "%s/.apod-mirror/%s", root, name);
    if (flags & O_DIRECTORY && mkdir(path, 0755) != 0) err(1, "%s", path);
    int descriptor = open(path, flags, 0644);
    if (descriptor < 0) err(1, "%s", path);
    return descriptor;
}

static void print_times(double *times, int count, char end) {
    qsort(times, count, sizeof *times, compare);
    printf("%.3f %.3f%c", times[count / 2], times[count * 99 / 100], end);
}

static void single(const char *root, int count, bool is_peer) {
    double *times = checked(calloc(count, sizeof *times)), *plain = checked(calloc(count, sizeof *plain));
    char name[longest];
    int folder = open_favorites(root);
    int own = is_peer ? -1 : open_beside(root, "plain", O_RDONLY | O_DIRECTORY);
    int file = is_peer ? -1 : open_beside(root, "lines", O_WRONLY | O_CREAT | O_APPEND);
    int history = is_peer ? -1 : open_history(root);
    if (!is_peer) read_lines(history, NULL, NULL);
    for (int i = 0; i < count; i++) {
        rest(apart * 1000);
        double start = now();
        make_link(folder, i, name);
        if (is_peer) wait_for_words(name);
        else wait_for_line(history, name);
        times[i] = (now() - start) * 1000;
        if (is_peer) continue;
        // One after the other: the disk is as busy for both.
        rest(apart * 1000);
        start = now();
        make_plainly(own, file, i);
        plain[i] = (now() - start) * 1000;
    }
    print_times(times, count, is_peer ? '\n' : ' ');
    if (!is_peer) print_times(plain, count, '\n');
}

// MARK: - Many at once

static void burst(const char *root, int count) {
    char name[longest];
    int folder = open_favorites(root), history = open_history(root);
    read_lines(history, NULL, NULL);
    long left = count;
    double first = now();
    for (int i = 0; i < count; i++) make_link(folder, i, name);
    double last = now();
    for (; (left -= read_lines(history, NULL, NULL)) > 0; rest(200))
        if (now() > last + 60) errx(1, "%ld of %d links have not been remembered", left, count);
    bring_to_disk(history);
    printf("%.3f %.3f\n", now() - last, now() - first);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Reads all links and writes a line of each to a file of its own.
static void plain(const char *root, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) err(1, "%s", path);
    double start = now();
    int folder = open_favorites(root);
    DIR *stream = fdopendir(folder);
    char **names = NULL;
    long count = 0;
    for (struct dirent *entry; (entry = readdir(stream));) {
        char target[longest];
        ssize_t length = readlinkat(folder, entry->d_name, target, sizeof target - 1);
        if (length < 0) continue;
        target[length] = 0;
        char *name = strrchr(target, '/') + 1;
        fprintf(file, "{\"date\":\"%.10s\",\"link\":\"%s\",\"file\":\"%s\"}\n", name, entry->d_name, name);
        if (count % 1024 == 0) names = checked(realloc(names, (count + 1024) * sizeof *names));
        names[count++] = checked(strdup(entry->d_name));
    }
    if (fflush(file) != 0) err(1, "%s", path);
    bring_to_disk(fileno(file));
    double time = now() - start;
    qsort(names, count, sizeof *names, compare_names);
    char *told = NULL;
    size_t size;
    FILE *list = open_memstream(&told, &size);
    read_lines(open_history(root), NULL, list);
    fclose(list);
    bool *found = checked(calloc(count + 1, sizeof *found));
    for (char *name = strtok(told, "\n"); name; name = strtok(NULL, "\n")) {
        char **place = count ? bsearch(&name, names, count, sizeof *names, compare_names) : NULL;
        if (place) found[place - names] = true;
    }
    long lost = 0;
    for (long i = 0; i < count; i++) lost += !found[i];
    printf("%.3f %ld\n", time, lost);
}

int main(int count, char **words) {
    const char *command = count > 1 ? words[1] : "";
    prctl(PR_SET_TIMERSLACK, 1);  // Otherwise it would see everything 50 µs late.
    // Whoever looks takes no processor away from the mirror (sched(7)).
    struct sched_param none = {0};
    if (sched_setscheduler(0, SCHED_BATCH, &none) != 0) err(1, "scheduler");
    if (count == 4 && !strcmp(command, "plain")) return plain(words[2], words[3]), 0;
    if (count != 5) return fputs(usage, stderr), 2;
    read_files(words[3]);
    if (!strcmp(command, "single")) return single(words[2], atoi(words[4]), false), 0;
    if (!strcmp(command, "noticed")) return single(words[2], atoi(words[4]), true), 0;
    if (!strcmp(command, "burst")) return burst(words[2], atoi(words[4])), 0;
    return fputs(usage, stderr), 2;
}
