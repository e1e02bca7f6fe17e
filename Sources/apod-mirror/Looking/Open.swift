import Apod
import Configuration
import Glibc
import Store

/// `apod-mirror open`
struct Open {
    static let command = Command(
        name: "open", words: DayFinder.words, summary: "open a day's picture",
        explanation: """
            Opens a day's picture, its video, or the page that plays it, with xdg-open.
            Where there is no display or no xdg-open, it prints the path.
            \(DayFinder.explanation)
            """,
        toleratesMistakes: true
    ) { try Open($0, $1).run() }

    private let key: Key?
    private let settings: Settings

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        key = try DayFinder.key(usage)
        settings = configuration.settings
    }

    func run() throws -> ExitStatus {
        let finder = DayFinder(settings: settings)
        guard let document = try finder.find(key) else { return .incomplete }
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
        guard hasDisplay, let status = xdgOpen(path) else {
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

    /// Runs xdg-open and returns its wait status; nil if it cannot be started.
    private func xdgOpen(_ path: String) -> Int32? {
        // `main` ignores SIGPIPE, which a child would inherit.
        signal(SIGPIPE, SIG_DFL)
        let words = [strdup("xdg-open"), strdup(path), nil]
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        guard posix_spawnp(&id, "xdg-open", nil, nil, words, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
