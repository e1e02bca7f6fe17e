import Apod
import Archive
import Files
import Glibc
import Service

/// `apod-mirror run`
struct Run {
    private let settings: Settings
    private let load: @Sendable () throws(ConfigurationError) -> Configuration

    /// `load`: reads the settings anew.
    init(
        _ configuration: Configuration, load: @escaping @Sendable () throws(ConfigurationError) -> Configuration
    ) {
        settings = configuration.settings
        self.load = load
    }

    func run() async -> ExitStatus {
        Memory.share()
        // Whoever started this may have left files open, and libinotifytools needs a low descriptor.
        closefrom(3)
        let tell: Telling = Systemd.readsStandardError ? Self.enter : Terminal.show
        var around = Surroundings(version: Version.number, environment: Environment.current, tell: tell)
        around.readout = Readout.of
        let caretaker = Caretaker(settings, around)
        let service = Task(executorPreference: Threads.shared) { try await caretaker.run() }
        // A terminal that is closed ends what runs in it.
        let hangUp: (@Sendable () -> Void)? = isatty(STDIN_FILENO) == 1 ? nil : { @Sendable in reload(caretaker, tell) }
        Interruption.onFirst(hangUp: hangUp) { service.cancel() }
        do {
            try await service.value
            return .done
        } catch {
            tell(Notice(.trouble, "\(error)"))
            return .incomplete
        }
    }

    private func reload(_ caretaker: Caretaker, _ tell: Telling) {
        do throws(ConfigurationError) {
            caretaker.reload(try load().settings)
        } catch {
            caretaker.refuse(error)
        }
    }

    @Sendable private static func enter(_ notice: Notice) { if !Systemd.enter(notice) { Terminal.show(notice) } }
}
