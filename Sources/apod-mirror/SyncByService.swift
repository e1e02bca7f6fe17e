import Service

/// `apod-mirror sync` beside a running service, which does the work.
extension Sync {
    /// Those that say which service is to do what; all others, it has read itself.
    private static let applicable: Set = ["root", "state", "since"]

    func ask(_ service: ControlClient) async throws(Usage.Mistake) -> ExitStatus {
        let foreign = ownSettings.subtracting(Self.applicable).sorted().map { "--\($0)" }
        guard foreign.isEmpty else {
            throw Usage.Mistake(
                """
                the running service has its own settings: leave out \(foreign.joined(separator: ", ")), or change them \
                where the service reads them, and reload it
                """)
        }
        let sync = RemoteSync(order, by: service) { Terminal.complain($0) }
        Interruption.onFirst { sync.cancel() }
        var status = ExitStatus.done
        do {
            for try await stage in sync.stages {
                let outcome = await follow(stage.running, named: stage.named) { sync.received }
                if outcome != .done { status = outcome }
            }
        } catch ControlFailure.mistake(let why) {
            throw Usage.Mistake(why)
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        return status
    }
}
