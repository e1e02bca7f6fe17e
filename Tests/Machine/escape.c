// Loaded into the program that decodes (ld.so(8), LD_PRELOAD). When that greets, it is locked in: what it must not do is
// tried, and each outcome told (`open: Operation not permitted`). Ordinary memory is allowed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void tell(const char *what, long outcome) {
    char line[100];
    int length = snprintf(line, sizeof line, "%s: %s\n", what, outcome == -1 ? strerror(errno) : "done");
    syscall(SYS_write, STDOUT_FILENO, line, length);
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (file != STDIN_FILENO) return syscall(SYS_write, file, bytes, count);
    int private = MAP_PRIVATE | MAP_ANONYMOUS;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, private, -1, 0);
    char *nothing[] = {NULL};
    tell("memory", page == MAP_FAILED ? -1 : 0);
    tell("open", open("/etc/passwd", O_RDONLY));
    tell("create", open("apod-thumbnailer-was-here", O_CREAT | O_WRONLY, 0600));
    tell("socket", socket(AF_INET, SOCK_STREAM, 0));
    tell("local socket", socket(AF_UNIX, SOCK_STREAM, 0));
    tell("process", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    tell("new process", syscall(SYS_clone3, 0, 88));
    tell("program", execve("/bin/true", nothing, nothing));
    tell("signal", kill(getppid(), 0));
    tell("signal by a descriptor", fcntl(STDIN_FILENO, F_SETOWN, getppid()));
    tell("flags of a descriptor", fcntl(STDIN_FILENO, F_SETFL, 0));
    tell("trace", syscall(SYS_ptrace, 0, 0, 0, 0));
    tell("limit", syscall(SYS_prlimit64, 0, RLIMIT_CPU, NULL, NULL));
    tell("executable memory", (long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, private, -1, 0));
    tell("memory made executable", mprotect(page, 4096, PROT_READ | PROT_EXEC));
    tell("remove", unlink("/nothing/there"));
    _exit(0);
}
