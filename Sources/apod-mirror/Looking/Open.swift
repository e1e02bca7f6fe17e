import Apod
import Archive
import Configuration
import Glibc

/// `apod-mirror open`
struct Open {
    private let day: Day?
    private let settings: Settings

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        day = try DayFinder.day(usage)
        settings = configuration.settings
    }

    func run() -> ExitStatus {
        let finder = DayFinder(settings: settings)
        guard let document = finder.find(day) else { return .incomplete }
        guard let file = document.view else {
            Terminal.complain(finder.lack(of: document))
            return .incomplete
        }
        let path = document.path(of: file, in: settings.root)
        guard document.has(file, in: settings.root) else {
            let advice = "`apod-mirror verify --repair` fetches it again"
            Terminal.complain("\(Text.shown(path)) is damaged or missing; \(advice)")
            return .incomplete
        }
        guard hasDisplay, let status = Self.status(of: "xdg-open", path) else {
            Terminal.print(path: path)
            return .done
        }
        if status == 0 { return .done }
        Terminal.complain("xdg-open cannot open \(Text.shown(path))")
        return .incomplete
    }

    private var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment.current[$0]?.isEmpty == false }
    }

    /// Runs a program and returns its wait status; nil if it cannot be started.
    private static func status(of program: String, _ argument: String) -> Int32? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // `main` ignores SIGPIPE, which a child would inherit.
        var ignored = sigset_t()
        sigemptyset(&ignored)
        sigaddset(&ignored, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = [strdup(program), strdup(argument), nil]
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        guard posix_spawnp(&id, program, nil, &attributes, words, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
