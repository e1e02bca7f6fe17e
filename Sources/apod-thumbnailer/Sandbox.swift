import CSandbox
import Glibc

/// Locks the process in: it can read what it was given, work in memory, and answer.
enum Sandbox {
    /// Bytes of address space. The libraries take a third of it.
    private static let mostMemory: UInt = 2 << 30

    static func limit() {
        run_in_background()
        be_first_to_go()
        set_resource_limit(Int32(RLIMIT_AS.rawValue), mostMemory)
        set_resource_limit(Int32(RLIMIT_FSIZE.rawValue), 0)
        // A library that wants to keep what it knows of fonts only fails.
        signal(SIGXFSZ, SIG_IGN)
        set_resource_limit(Int32(RLIMIT_CORE.rawValue), 0)
        set_resource_limit(Int32(RLIMIT_NOFILE.rawValue), 64)
    }

    /// Returns false if the kernel has no seccomp filter: then nothing is decoded.
    static func lock() -> Bool {
        give_up_privileges()
        // A kernel without Landlock will do, as the filter denies opening files, too.
        _ = deny_files_and_network()
        return filter_system_calls(filter, UInt16(filter.count)) == 0
    }

    private enum Outcome {
        static let allow = UInt32(0x7fff_0000)
        static let deny = UInt32(0x0005_0000) | UInt32(EPERM)
        /// It is not carried out, and nothing is wrong.
        static let done = UInt32(0x0005_0000)
        static let unknown = UInt32(0x0005_0000) | UInt32(ENOSYS)
        static let kill = UInt32(0x8000_0000)
    }

    #if arch(x86_64)
        private static let architecture: UInt32 = 0xc000_003e
        private static let access = SYS_access
    #elseif arch(arm64)
        private static let architecture: UInt32 = 0xc000_00b7
        private static let access = SYS_faccessat
    #endif

    private static let harmless = [
        SYS_read, SYS_pread64, SYS_lseek, SYS_fstat, SYS_close, SYS_dup, SYS_recvmsg, SYS_write, SYS_ppoll, SYS_munmap,
        SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_rt_sigprocmask,
        SYS_rt_sigreturn, SYS_sched_getaffinity, SYS_sched_yield, SYS_getpid, SYS_gettid, SYS_clock_gettime,
        SYS_clock_getres, SYS_getrandom, SYS_restart_syscall, SYS_exit, SYS_exit_group,
    ]

    /// Denies every call that it does not name (seccomp(2), bpf(4)). Arguments are at 16, 24, 32 …, lower half first.
    private static var filter: [sock_filter] {
        let start = [
            Instruction.load(4), Instruction.unless(architecture, skip: 1), Instruction.skip(1),
            Instruction.end(Outcome.kill), Instruction.load(0),
        ]
        let simple = harmless.flatMap { [Instruction.unless(UInt32($0), skip: 1), Instruction.end(Outcome.allow)] }
        return start + simple
            // Allows threads (CLONE_THREAD), but no processes.
            + onlyIf(SYS_clone, argument: 0, has: 0x1_0000)
            // clone3 has its flags in memory, which a filter cannot read. With ENOSYS, glibc falls back to clone.
            + [Instruction.unless(UInt32(SYS_clone3), skip: 1), Instruction.end(Outcome.unknown)]
            // Asked of a font that was opened before.
            + [Instruction.unless(UInt32(access), skip: 1), Instruction.end(Outcome.done)]
            // Denies executable memory.
            + unless(SYS_mmap, argument: 2, has: UInt32(PROT_EXEC))
            + unless(SYS_mprotect, argument: 2, has: UInt32(PROT_EXEC))
            // Allows fstat (AT_EMPTY_PATH). With a path, this leaks the size and times of files.
            + onlyIf(SYS_newfstatat, argument: 3, has: 0x1000)
            + [Instruction.end(Outcome.deny)]
    }

    private static func onlyIf(_ call: Int32, argument: UInt32, has bit: UInt32) -> [sock_filter] {
        block(call, argument, bit, Outcome.allow, otherwise: Outcome.deny)
    }

    private static func unless(_ call: Int32, argument: UInt32, has bit: UInt32) -> [sock_filter] {
        block(call, argument, bit, Outcome.deny, otherwise: Outcome.allow)
    }

    private static func block(
        _ call: Int32, _ argument: UInt32, _ bit: UInt32, _ outcome: UInt32, otherwise: UInt32
    ) -> [sock_filter] {
        [
            Instruction.unless(UInt32(call), skip: 4), Instruction.load(16 + 8 * argument),
            Instruction.unlessSet(bit, skip: 1), Instruction.end(outcome), Instruction.end(otherwise),
        ]
    }

    private enum Instruction {
        /// BPF_LD | BPF_W | BPF_ABS
        static func load(_ offset: UInt32) -> sock_filter { sock_filter(code: 0x20, jt: 0, jf: 0, k: offset) }
        /// BPF_JMP | BPF_JEQ | BPF_K
        static func unless(_ value: UInt32, skip: UInt8) -> sock_filter {
            sock_filter(code: 0x15, jt: 0, jf: skip, k: value)
        }
        /// BPF_JMP | BPF_JSET | BPF_K
        static func unlessSet(_ bit: UInt32, skip: UInt8) -> sock_filter {
            sock_filter(code: 0x45, jt: 0, jf: skip, k: bit)
        }
        /// BPF_JMP | BPF_JA
        static func skip(_ count: UInt32) -> sock_filter { sock_filter(code: 0x05, jt: 0, jf: 0, k: count) }
        /// BPF_RET | BPF_K
        static func end(_ outcome: UInt32) -> sock_filter { sock_filter(code: 0x06, jt: 0, jf: 0, k: outcome) }
    }
}
