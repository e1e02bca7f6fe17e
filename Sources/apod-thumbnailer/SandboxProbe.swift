import CSandbox
import Glibc

/// Tries what the sandbox forbids, and prints each outcome: `open: Operation not permitted`.
enum SandboxProbe {
    static func tryAll() {
        tell("open", openat(AT_FDCWD, "/etc/passwd", O_RDONLY))
        tell("create", openat(AT_FDCWD, "apod-thumbnailer-was-here", O_CREAT | O_WRONLY, 0o600))
        tell("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        tell("local socket", socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        tell("process", call(SYS_clone, Int(SIGCHLD)))
        tell("new process", call(SYS_clone3, 0, 88))
        var nothing: [UnsafeMutablePointer<CChar>?] = [nil]
        tell("program", execve("/bin/true", &nothing, &nothing))
        tell("signal", kill(getppid(), 0))
        tell("signal by a descriptor", call(SYS_fcntl, Int(STDIN_FILENO), Int(F_SETOWN), Int(getppid())))
        tell("flags of a descriptor", call(SYS_fcntl, Int(STDIN_FILENO), Int(F_SETFL), 0))
        tell("trace", call(SYS_ptrace, 0))
        tell("limit", call(SYS_prlimit64, 0, Int(RLIMIT_CPU.rawValue)))
        tell("executable memory", call(SYS_mmap, 0, 4096, Int(PROT_READ | PROT_EXEC), Int(MAP_PRIVATE | MAP_ANONYMOUS)))
        let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        tell("memory made executable", mprotect(page, 4096, PROT_READ | PROT_EXEC))
        tell("remove", unlinkat(AT_FDCWD, "/nothing/there", 0))
        // Ordinary memory is allowed.
        tell("memory", page == MAP_FAILED ? -1 : 0)
    }

    private static func call(_ number: Int32, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) -> Int {
        call_system(Int(number), a, b, c, d)
    }

    private static func tell(_ what: String, _ outcome: some BinaryInteger) {
        let why = outcome == -1 ? String(cString: strerror(errno)) : "done"
        let line = Array("\(what): \(why)\n".utf8)
        write(STDOUT_FILENO, line, line.count)
        // The child, if a new process could be made.
        if what == "process", outcome == 0 { _exit(0) }
    }
}
