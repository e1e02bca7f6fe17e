import Apod
import Archive
import Concurrency
import Configuration
import Daemon
import Glibc
import Synchronization

/// Reads the command line (`Usage`) and the settings (`Configuration`), then runs the sub-command's type.
///
/// `Looking` and `Status` only read. `JobCommand` asks the service to do the work; without one, `OwnProcess` does it.
/// `JobReport` shows it. `Remedy` and `FailureRemedy` say what to do, `Terminal` writes.
@main
struct Main {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        Task(executorPreference: ThreadExecutor.shared) { exit(await run(words).rawValue) }
        while true { pause() }
    }

    private static func run(_ words: [String]) async -> ExitStatus {
        do throws(Usage.Mistake) {
            let usage = try Usage(words)
            switch usage.request {
            case .help(let topic): Terminal.print(Help.text(on: topic))
            case .version: Terminal.print("apod-mirror \(Version.number)")
            case .command(let command): return try await run(command, usage)
            }
            return .done
        } catch {
            let topic = (error.topic ?? Usage.topic(of: words)).map { " \($0)" } ?? ""
            Terminal.complain("\(error.description)\nSee `apod-mirror help\(topic)`.")
            return .usage
        }
    }

    private static func run(_ command: Command, _ usage: Usage) async throws(Usage.Mistake) -> ExitStatus {
        let read = { @Sendable in
            Configuration(
                arguments: usage.settings, environment: Environment.current, file: usage.configurationFile)
        }
        let configuration = read()
        let mistakes = configuration.refusal?.mistakes ?? []
        guard mistakes.isEmpty || command.toleratesMistakes else {
            throw Usage.Mistake(mistakes.joined(separator: "\n"), topic: "settings")
        }
        Terminal.hints.withLock { $0 = Hints(usage, configuration.settings) }
        for complaint in mistakes + configuration.remarks { Terminal.complain(complaint) }
        let begins = [.run, .sync].contains(command)
        if command != .config,
            let complaint = WrongRoot.complaint(about: configuration.settings.root, begins: begins)
        {
            Terminal.complain(complaint)
            return .incomplete
        }
        do {
            return try await run(command, usage, configuration, read)
        } catch let mistake as Usage.Mistake {
            throw mistake
        } catch {
            let settings = configuration.settings
            Terminal.complain(Signals.words(for: Failure(ofJob: error, in: settings), in: settings.root))
            return .incomplete
        }
    }

    private static func run(
        _ command: Command, _ usage: Usage, _ configuration: Configuration,
        _ read: @escaping @Sendable () -> Configuration
    ) async throws -> ExitStatus {
        switch command {
        case .run: try await Run(configuration, read: read).run()
        case .sync: try await Sync(usage, configuration).run()
        case .status: try Status(usage, configuration).run()
        case .favorites: try await FavoritesCommand(usage, configuration).run()
        case .search: try Search(usage, configuration).run()
        case .show: try Show(usage, configuration).run()
        case .open: try Open(usage, configuration).run()
        case .verify: try await Verify(usage, configuration).run()
        case .revert: try await Revert(usage, configuration).run()
        case .prune: try await Prune(usage, configuration).run()
        case .config: try ShowConfiguration(usage, configuration).run()
        case .serve: try Serve(usage, configuration).run()
        case .thumbnails: try await ThumbnailsCommand(usage, configuration).run()
        }
    }
}
