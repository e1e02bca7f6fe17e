import Archive
import Control

/// What a running service fetches for a command.
struct WithService {
    private let service: ControlClient
    /// Where it puts what it fetches, to be told at the end.
    private let root: String?

    /// Settings that say which service is to do what; all others, it has read itself.
    private static let applicable: Set = ["root", "state", "since"]

    /// `ownSettings`: those given with the command itself.
    init(_ service: ControlClient, ownSettings: [String], root: String? = nil) throws(Usage.Mistake) {
        let foreign = Set(ownSettings).subtracting(Self.applicable).sorted().map { "--\($0)" }
        guard foreign.isEmpty else {
            throw Usage.Mistake(
                """
                the running service has its own settings: leave out \(foreign.joined(separator: ", ")), or change them \
                where the service reads them, and reload it
                """)
        }
        self.service = service
        self.root = root
    }

    /// Shows it until it ends.
    func run(_ request: ControlRequest, quietly: Bool = false) async throws(Usage.Mistake) -> ExitStatus {
        let sync = RemoteSync(request, by: service)
        Signals.onFirst { sync.cancel() }
        var status = ExitStatus.done
        do {
            for try await stage in sync.stages {
                let outcome = await show(stage, of: sync, quietly)
                if outcome != .done { status = outcome }
            }
        } catch ControlError.mistake(let why) {
            throw Usage.Mistake(why)
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        return status
    }

    private func show(_ stage: RemoteSync.Stage, of sync: RemoteSync, _ quietly: Bool) async -> ExitStatus {
        switch stage {
        case .refresh(let running, let named):
            return await follow(running, named: named, into: root, quietly: quietly) { sync.received }
        case .message(let message):
            var printer = MessagePrinter(asJSON: quietly)
            printer.enter(message)
            return printer.status
        }
    }
}
