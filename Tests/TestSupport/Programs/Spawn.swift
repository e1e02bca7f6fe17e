import Glibc

/// The start of a program (posix_spawn(3)).
struct Spawn {
    private let path: String
    private let words: [String]
    private let environment: [String]?

    /// The clock of a test run at another time is also that of its programs.
    private static var clock: [String: String] {
        let names = ["LD_PRELOAD", "CLOCK_AHEAD"]
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } })
    }

    init(_ path: String, _ arguments: [String], _ environment: [String: String]?) {
        self.path = path
        words = [path] + arguments
        self.environment = environment.map { $0.merging(Self.clock) { own, _ in own }.map { "\($0.key)=\($0.value)" } }
    }

    func start(output: Int32, errors: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var id = pid_t()
        let code = Inheritance.withoutStarting {
            Self.withPointers(words) { words in
                guard let environment else { return posix_spawn(&id, path, &actions, &attributes, words, environ) }
                return Self.withPointers(environment) { posix_spawn(&id, path, &actions, &attributes, words, $0) }
            }
        }
        guard code == 0 else { throw SystemError("start \(path)", code: code) }
        return id
    }

    /// Signals as they are for a program started from a shell, whatever the test runner did to its own.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, SIGUSR2] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    private static func withPointers<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
