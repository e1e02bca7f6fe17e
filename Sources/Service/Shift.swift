internal import Archive
internal import Favorites
internal import Files

/// All that keeps the mirror, for as long as it is open.
struct Shift: Sendable {
    private let station: Station
    private let keeper: Keeper
    private let wishes: Wishes
    private let daily: Daily
    private let backfill: Backfill
    private let clearing: Clearing
    private let attendant: Attendant
    private let control: Control

    /// `report`: what is to be told of the favorites.
    init(
        _ station: Station, serving control: Control, _ report: @escaping @Sendable (Keeper.Event) -> Void
    ) {
        let session = station.session
        let (gaps, gap) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (arrivals, arrival) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.station = station
        self.control = control
        keeper = session.keeper { event in
            report(event)
            if case .known = event { arrival.yield() }
        }
        wishes = Wishes(station, keeper)
        daily = Daily(station: station, jitter: .random(in: 0...Schedule.mostJitter)) {
            gap.yield()
            arrival.yield()
        }
        backfill = Backfill(station: station, occasions: gaps) { arrival.yield() }
        clearing = Clearing(station: station, keeper: keeper, occasions: arrivals) { arrival.yield() }
        attendant = Attendant(station, keeper, control, in: session.settings.stateFolder) { arrival.yield() }
    }

    /// Each is answered as long as something works that the others need.
    var questions: [Watchdog.Question] {
        let catalog = station.session.archive.catalog
        return [
            { _ = await blocking { try? catalog.fact(.since) } },
            { await keeper.answer() },
            { await control.answer() },
            { await station.isGettingOn() },
        ]
    }

    /// Until the task is cancelled. Throws what only opening the mirror anew can mend.
    func run() async throws(ArchiveError) {
        // Who is told that the service is up can reach it. What fails is told when the duty tries again.
        try? await attendant.open()
        let supervisor = Supervisor(time: station.time, activity: station.activity, tell: station.tell)
        let failure = await supervisor.run([
            Duty(.favorites) { try await keeper.run() },
            Duty(.wishes) { try await wishes.run() },
            Duty(.refresh) { try await daily.run() },
            Duty(.backfill) { try await backfill.run() },
            Duty(.retention) { try await clearing.run() },
            Duty(.mending) { try await mend() },
            Duty(.control) { try await attendant.run() },
        ])
        // As long as anybody can be sent to the attendant, the mirror stays open.
        await attendant.close()
        if let failure { throw failure }
    }

    /// It ends when all is done.
    private func mend() async throws(ArchiveError) {
        for notice in try await station.session.mending.run().notices { station.tell(notice) }
        await station.rest()
    }
}
