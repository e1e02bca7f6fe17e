internal import Apod
internal import Archive
internal import Favorites
internal import Files
import Synchronization

/// Does what commands ask the service for, while its mirror is open.
final class Attendant: Sendable {
    let station: Station
    let keeper: Keeper
    private let control: Control
    /// Has retention looked at what is here.
    let clear: @Sendable () -> Void
    /// Of the socket, if the service has none of its own.
    private let folder: String
    private let orders = Queue(most: 16)
    /// Whoever only reads does not keep waiting those who do not.
    private let readings = Queue(most: 2)
    private let served = Mutex(0)

    /// Those who wait to be served, of whom so many are served at once.
    private struct Queue {
        let most: Int
        let visitors: AsyncStream<(Visitor, ControlRequest)>
        let enqueue: AsyncStream<(Visitor, ControlRequest)>.Continuation

        init(most: Int) {
            self.most = most
            (visitors, enqueue) = AsyncStream.makeStream()
        }

        /// Returns false if nobody is served any more.
        func take(_ visitor: Visitor, _ request: ControlRequest) -> Bool {
            if case .enqueued = enqueue.yield((visitor, request)) { true } else { false }
        }
    }

    init(
        _ station: Station, _ keeper: Keeper, _ control: Control, in folder: String,
        clear: @escaping @Sendable () -> Void
    ) {
        self.station = station
        self.keeper = keeper
        self.control = control
        self.clear = clear
        self.folder = folder
    }

    /// Lets commands find the service.
    func open() async throws(ArchiveError) {
        try await blocking { [control, folder, station] () throws(ArchiveError) in
            let path = try ArchiveError.wrapping { () throws(DiskError) in try control.listen(beside: folder) }
            try station.session.archive.announce(path)
        }
        control.handle { [self] in take($0, $1) }
    }

    /// Until the task is cancelled.
    func run() async throws(ArchiveError) {
        try await open()
        async let readings: Void = serve(self.readings)
        await serve(orders)
        await readings
    }

    private func serve(_ queue: Queue) async {
        await withTaskGroup(of: Void.self) { group in
            var underway = 0
            for await (visitor, request) in queue.visitors {
                if underway == queue.most {
                    await group.next()
                    underway -= 1
                }
                group.addTask { await self.serve(visitor, request) }
                underway += 1
            }
        }
    }

    /// Nobody finds the service any more. Whether it has run or not: as long as it can be found, the mirror is open.
    func close() async {
        control.handle(by: nil)
        await blocking { [control, station] in
            try? station.session.archive.announce(nil)
            control.leave()
        }
    }

    /// Returns false if nobody is served any more.
    func take(_ visitor: Visitor, _ request: ControlRequest) -> Bool {
        if request.isReading { return readings.take(visitor, request) }
        let before = served.withLock { served in
            defer { served += 1 }
            return served
        }
        visitor.tell(.taken)
        if before >= orders.most {
            visitor.tell(.entry(.warned("the service is busy with \(before) commands; this one waits")))
        }
        return orders.take(visitor, request)
    }

    private func serve(_ visitor: Visitor, _ request: ControlRequest) async {
        // Nothing is begun for those who have gone while they waited.
        if visitor.isThere {
            await visitor.attended { [self] in
                switch request {
                case .status: break
                case .read(let reading, let mark): await read(reading, mark, visitor)
                case .sync(let order): await sync(order, visitor)
                case .prune: await prune(visitor)
                case .favorites(let order): await change(order, visitor)
                case .repair(let days, let entering): await repair(days, entering, visitor)
                }
            }
        }
        if !request.isReading { served.withLock { $0 -= 1 } }
    }

    private func read(_ reading: Reading, _ mark: String, _ visitor: Visitor) async {
        let settings = station.session.settings
        let mayRead = await blocking {
            // The socket may be where everybody comes, and the mirror where nobody does.
            mark == Archive.mark(root: settings.root)
                && (!visitor.isStranger || Archive.isCatalogPublic(root: settings.root, state: settings.state))
        }
        guard mayRead else { return visitor.end(.refused) }
        guard let entries = await blocking({ [control, station] in station.readout(reading, settings, control.status) })
        else {
            return visitor.end(.end(why: "that is more than the service tells at once"))
        }
        for entry in entries { visitor.tell(.entry(entry)) }
        visitor.end(.end(why: nil))
    }

    private func change(_ order: FavoritesOrder, _ visitor: Visitor) async {
        let archive = station.session.archive
        do throws(ArchiveError) {
            try await keeper.carryOut { reconciler throws(ArchiveError) in
                let hand = try Hand(root: archive.tree.root.path, catalog: archive.catalog)
                try order.carryOut(by: hand, asker: "the service") {
                    visitor.tell(.entry($0))
                } forget: { days throws(ArchiveError) in
                    try reconciler.forget(days)
                } restored: {
                    reconciler.take(restored: $0)
                } removing: {
                    reconciler.take(ordered: $0)
                }
            }
            visitor.end(.end(why: nil))
        } catch {
            visitor.end(.end(why: words(of: error)))
        }
    }

    /// What only opening the mirror anew can mend, who keeps the favorites finds out, too, and has that done.
    func words(of error: ArchiveError) -> String {
        if error.endsService { keeper.look() }
        return switch error {
        case .catalog(let reason) where reason.isDamaged:
            """
            the catalog \(Text.shown(reason.path)) is damaged: the service makes a new one from the files; run the same command \
            again in a moment
            """
        case .replaced(let path):
            """
            \(Text.shown(path)) is not what the service has opened: it opens what is there now, or waits for it; run the same \
            command again in a moment
            """
        default: error.description
        }
    }
}
