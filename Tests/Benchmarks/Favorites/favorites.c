// Puts links into the favorites folder of a mirror and tells how long it takes until they are remembered, or noticed.
// Remembered is what another connection can see: SQLite shows it no commit that is not on the disk yet, as the catalog
// is in WAL mode with synchronous=FULL.
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <sqlite3.h>
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
    "       favorites plain ROOT DATABASE             s for a plain loop, and how many the mirror has lost\n"
    "       favorites noticed ROOT FILES COUNT <WORDS median and 99th percentile until words name it, in ms\n"
    "FILES has a line for each file that there is to link to, as 2026/11/2026-11-20 Orion Rising.jpg.\n";

// ms between links; µs between looks at the catalog; bytes of a name or target
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

// MARK: - SQLite

static sqlite3 *connect_to(const char *path, int flags) {
    sqlite3 *database;
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) errx(1, "%s", sqlite3_errmsg(database));
    sqlite3_busy_timeout(database, 10000);
    return database;
}

// Reads only, and for a moment: the mirror is not held up.
static sqlite3 *open_catalog(const char *root) {
    char path[longest];
    snprintf(path, sizeof path, "%s/.apod-mirror/catalog.sqlite", root);
    return connect_to(path, SQLITE_OPEN_READONLY);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) errx(1, "%s", sqlite3_errmsg(database));
    return statement;
}

static void execute(sqlite3 *database, const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) errx(1, "%s", sqlite3_errmsg(database));
}

static long number(sqlite3_stmt *statement) {
    long result = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_reset(statement);
    return result;
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

static void wait_for_row(sqlite3_stmt *row, const char *name) {
    sqlite3_bind_blob(row, 1, name, strlen(name), SQLITE_STATIC);
    for (double end = now() + 30; number(row) != 1; rest(looks))
        if (now() > end) errx(1, "%s has not been remembered", name);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// What nobody can do without: the link, its folder on the disk, and a page of a file written over in place.
static void make_plainly(int folder, int page, int number) {
    static char bytes[longest];
    char name[longest];
    make_link(folder, number, name);
    memset(bytes, number, sizeof bytes);
    if (fsync(folder) != 0 || pwrite(page, bytes, sizeof bytes, 0) != sizeof bytes || fsync(page) != 0) err(1, "sync");
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
    int page = is_peer ? -1 : open_beside(root, "page", O_RDWR | O_CREAT);
    sqlite3_stmt *row =
        is_peer ? NULL : prepare(open_catalog(root), "SELECT count(*) FROM link WHERE album = x'' AND name = ?");
    for (int i = 0; i < count; i++) {
        rest(apart * 1000);
        double start = now();
        make_link(folder, i, name);
        if (is_peer) wait_for_words(name);
        else wait_for_row(row, name);
        times[i] = (now() - start) * 1000;
        if (is_peer) continue;
        // One after the other: the disk is as busy for both.
        rest(apart * 1000);
        start = now();
        make_plainly(own, page, i);
        plain[i] = (now() - start) * 1000;
    }
    print_times(times, count, is_peer ? '\n' : ' ');
    if (!is_peer) print_times(plain, count, '\n');
}

// MARK: - Many at once

static void burst(const char *root, int count) {
    char name[longest];
    int folder = open_favorites(root);
    sqlite3 *catalog = open_catalog(root);
    sqlite3_stmt *version = prepare(catalog, "PRAGMA data_version");
    sqlite3_stmt *links = prepare(catalog, "SELECT count(*) FROM link WHERE day IS NOT NULL");
    long seen = number(version), due = number(links) + count;
    double first = now();
    for (int i = 0; i < count; i++) make_link(folder, i, name);
    double last = now();
    // Counting takes a while: only what has changed is counted.
    for (bool is_done = number(links) == due; !is_done; rest(200)) {
        if (now() > last + 60) errx(1, "%ld of %ld links have been remembered", number(links), due);
        long newest = number(version);
        is_done = newest != seen && number(links) == due;
        seen = newest;
    }
    printf("%.3f %.3f\n", now() - last, now() - first);
}

// Reads all links and commits them to a database of its own, in a table like the mirror's.
static void plain(const char *root, const char *path) {
    sqlite3 *database = connect_to(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    execute(database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE link (album BLOB NOT NULL, name BLOB NOT NULL, day INTEGER, why TEXT, vanished INTEGER,"
        " PRIMARY KEY (album, name)) STRICT, WITHOUT ROWID");
    sqlite3_stmt *insert = prepare(database, "INSERT INTO link VALUES (x'', ?, ?, NULL, NULL)");
    double start = now();
    execute(database, "BEGIN IMMEDIATE");
    int folder = open_favorites(root);
    DIR *stream = fdopendir(folder);
    for (struct dirent *entry; (entry = readdir(stream));) {
        char target[longest];
        struct tm date = {0};
        ssize_t length = readlinkat(folder, entry->d_name, target, sizeof target - 1);
        if (length < 0) continue;
        target[length] = 0;
        sscanf(strrchr(target, '/') + 1, "%d-%d-%d", &date.tm_year, &date.tm_mon, &date.tm_mday);
        date.tm_year -= 1900;
        date.tm_mon -= 1;
        sqlite3_bind_blob(insert, 1, entry->d_name, strlen(entry->d_name), SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, timegm(&date) / 86400);
        if (sqlite3_step(insert) != SQLITE_DONE) errx(1, "%s", sqlite3_errmsg(database));
        sqlite3_reset(insert);
    }
    execute(database, "COMMIT");
    double time = now() - start;
    char attach[longest];
    snprintf(attach, sizeof attach, "ATTACH '%s/.apod-mirror/catalog.sqlite' AS catalog", root);
    execute(database, attach);
    long lost = number(prepare(database,
        "SELECT count(*) FROM (SELECT name, day FROM main.link EXCEPT SELECT name, day FROM catalog.link)"));
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
