import Apod
import CLinux
import Glibc

/// A program that comes with this one: beside it, or in `../libexec/apod-mirror`.
package enum InstalledProgram {
    private static let folder = (try? File.reading("/proc/self/exe"))?.truePath
        .flatMap { FileSystem.parent(of: $0.text) }

    /// nil if it is not installed.
    package static func path(of name: String) -> String? {
        guard let folder else { return nil }
        return ["\(folder)/\(name)", "\(folder)/../libexec/apod-mirror/\(name)"].first { access($0, F_OK) == 0 }
    }

    /// How to get one that is not installed.
    package static var remedy: String { remedy(in: folder ?? "") }

    static func remedy(in folder: String) -> String {
        guard folder.contains("/.build/") else { return "install apod-mirror again" }
        return "`swift build\(folder.hasSuffix("/release") ? " -c release" : "")` makes it"
    }

    /// Starts a program with its arguments. In a process group of its own, Ctrl-C at a terminal does not reach it.
    ///
    /// `input`: its standard input, and then it is silent; nil: it has none, and its words come out here.
    package static func start(_ words: [String], input: Int32? = nil) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            for output in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
            }
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        // Some libraries open descriptors without O_CLOEXEC.
        close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        let environment = [strdup("LC_ALL=C"), strdup("MALLOC_ARENA_MAX=2"), nil]
        defer { for word in arguments + environment { free(word) } }
        var id: Int32 = 0
        let code = posix_spawn(&id, words[0], &actions, &attributes, arguments, environment)
        guard code == 0 else { throw Problem("start", words[0], code: code) }
        return id
    }
}
