import Apod
import Configuration
import Files
import Glibc
import Service
import Store
import Synchronization
import Syncing

/// Reads the command line (`Usage`) and the settings (`Configuration`), then runs the sub-command's type.
///
/// `Looking` and `Status` only read. `JobCommand` has the service do the work or, without one, `OwnService`.
/// `JobReport` shows it. `Remedy` says what to do, `Terminal` writes.
@main
struct Main {
    static let commands = [
        Run.command, Sync.command, Status.command, FavoritesCommand.command, Search.command, Show.command,
        Open.command, Revert.command, Verify.command, Prune.command, ThumbnailsCommand.command, Serve.command,
        ShowConfiguration.command,
    ]

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        Task(executorPreference: ThreadExecutor.shared) { exit(await run(words).rawValue) }
        while true { pause() }
    }

    private static func run(_ words: [String]) async -> ExitStatus {
        do throws(Usage.Mistake) {
            let usage = try Usage(words, of: commands)
            switch usage.request {
            case .help(let topic): Terminal.print(Help.text(on: topic, of: commands))
            case .version: Terminal.print("apod-mirror \(ProgramVersion.number)")
            case .command(let command): return try await run(command, usage)
            }
            return .done
        } catch {
            let topic = (error.topic ?? words.first { commands.named($0) != nil }).map { " \($0)" } ?? ""
            Terminal.complain("\(error.description)\nSee `apod-mirror help\(topic)`.")
            return .usage
        }
    }

    private static func run(_ command: Command, _ usage: Usage) async throws(Usage.Mistake) -> ExitStatus {
        let configuration = usage.configuration
        let mistakes = configuration.refusal?.mistakes ?? []
        guard mistakes.isEmpty || command.toleratesMistakes else {
            throw Usage.Mistake(mistakes.joined(separator: "\n"), topic: "settings")
        }
        Terminal.hints.withLock { $0 = Hints(usage, configuration.settings) }
        for complaint in mistakes + configuration.remarks { Terminal.complain(complaint) }
        if command.mirror != .unused,
            let failure = configuration.settings.wrongRoot(begins: command.mirror == .begun)
        {
            Terminal.complain(failure.told(in: configuration.settings.root))
            return .incomplete
        }
        if command.mirror == .begun, KnownRoots.isEmpty(configuration.settings.root),
            let words = configuration.settings.seclusion
        {
            Terminal.complain(words)
        }
        do {
            return try await command.run(usage, configuration)
        } catch let mistake as Usage.Mistake {
            throw mistake
        } catch {
            let settings = configuration.settings
            Terminal.complain(Signals.words(for: Problem(error, in: settings), in: settings.root))
            return .incomplete
        }
    }
}
