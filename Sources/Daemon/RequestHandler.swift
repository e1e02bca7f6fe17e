internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Control
internal import Favorites
internal import Files
import Synchronization
internal import Syncing
internal import Thumbnails

/// Does what commands ask the service for, while its mirror is open.
final class RequestHandler: Sendable {
    private let host: ServiceHost
    private let control: ControlServer
    /// Of the socket, if the service has none of its own.
    private let folder: String
    private let orders = Queue(most: 16)
    /// Whoever only reads does not keep waiting those who do not.
    private let readings = Queue(most: 2)
    private let served = Mutex(0)

    /// Those who wait to be served, of whom so many are served at once.
    private struct Queue {
        let most: Int
        let writers: AsyncStream<(ResponseWriter, ControlRequest)>
        let enqueue: AsyncStream<(ResponseWriter, ControlRequest)>.Continuation

        init(most: Int) {
            self.most = most
            (writers, enqueue) = AsyncStream.makeStream()
        }

        /// Returns false if nobody is served any more.
        func add(_ writer: ResponseWriter, _ request: ControlRequest) -> Bool {
            if case .enqueued = enqueue.yield((writer, request)) { true } else { false }
        }
    }

    init(_ host: ServiceHost, _ control: ControlServer, in folder: String) {
        self.host = host
        self.control = control
        self.folder = folder
    }

    private var context: ServiceContext { host.context }

    /// Lets commands find the service.
    func open() async throws(StorageError) {
        try await blocking { [control, folder, context] () throws(StorageError) in
            let path = try control.listen(beside: folder)
            try context.mirror.archive.announce(path)
        }
        control.handle { [self] in accept($0, $1) }
    }

    /// Until the task is cancelled.
    func run() async throws(StorageError) {
        try await open()
        async let readings: Void = serve(self.readings)
        await serve(orders)
        await readings
    }

    private func serve(_ queue: Queue) async {
        await withTaskGroup(of: Void.self) { group in
            var underway = 0
            for await (writer, request) in queue.writers {
                if underway == queue.most {
                    await group.next()
                    underway -= 1
                }
                group.addTask { await self.serve(writer, request) }
                underway += 1
            }
        }
    }

    /// Nobody finds the service any more. Whether it has run or not: as long as it can be found, the mirror is open.
    func close() async {
        control.handle(by: nil)
        await blocking { [control, context] in
            try? context.mirror.archive.announce(nil)
            control.leave()
        }
    }

    /// Returns false if nobody is served any more.
    func accept(_ writer: ResponseWriter, _ request: ControlRequest) -> Bool {
        if request.isReading { return readings.add(writer, request) }
        let before = served.withLock { served in
            defer { served += 1 }
            return served
        }
        writer.tell(.taken)
        if before >= orders.most {
            writer.tell(.message(.warned("the service is busy with \(before) commands; this one waits")))
        }
        return orders.add(writer, request)
    }

    private func serve(_ writer: ResponseWriter, _ request: ControlRequest) async {
        // Nothing is begun for those who have gone while they waited.
        if writer.isThere {
            await writer.attended { [self] in
                switch request {
                case .status: break
                case .read(let reading, let proof): await read(reading, proof, writer)
                case .job(let job): await run(job, writer)
                }
            }
        }
        if !request.isReading { served.withLock { $0 -= 1 } }
    }

    private func read(_ reading: Query, _ proof: String, _ writer: ResponseWriter) async {
        let settings = context.mirror.settings
        let mayRead = await blocking {
            // The socket may be where everybody comes, and the mirror where nobody does.
            proof == Archive.proof(root: settings.root)
                && (!writer.mayOnlyRead || Archive.isCatalogPublic(root: settings.root, state: settings.state))
        }
        guard mayRead else { return writer.end(.refused) }
        guard
            let messages = await blocking({ [control, context] in context.readout(reading, settings, control.status) })
        else {
            return writer.end(.end(why: "that is more than the service tells at once"))
        }
        for message in messages { writer.tell(.message(message)) }
        writer.end(.end(why: nil))
    }

    private func run(_ job: Job, _ writer: ResponseWriter) async {
        if job.fetches { context.activity.change { $0.syncs += 1 } }
        let runner = JobRunner(in: host) { message in
            if case .received = message, !writer.isListening { return }
            writer.tell(.message(message))
        }
        let news = await news(before: job)
        do {
            try await blocking { [context] () throws(StorageError) in try context.mirror.archive.checkPlaces() }
            try await runner.run(job)
            await tell(news, writer)
            // A refresh has told it already.
            let isCutOff = Task.isCancelled && !job.fetches && !job.isBrief
            writer.end(.end(why: isCutOff ? ServiceHost.stopped : nil))
        } catch let error as SyncOrder.Mistake {
            writer.end(.mistake(error.description))
        } catch {
            await tell(news, writer)
            let fullDisk = DiskFull.words(for: error, context.mirror.settings)
            writer.end(.end(why: fullDisk ?? ArchiveError(error).map(words) ?? "\(error)"))
        }
        if job.fetches { context.activity.change { $0.syncs -= 1 } }
        if !job.isBrief { await context.releaseMemory() }
    }

    /// nil where nobody waits for that.
    private func news(before job: Job) async -> FavoritesNews? {
        guard case .sync = job else { return nil }
        return await blocking { [context] in try? FavoritesNews(context.mirror.archive) }
    }

    private func tell(_ news: FavoritesNews?, _ writer: ResponseWriter) async {
        for line in await blocking({ (try? news?.lines) ?? [] }) { writer.tell(.message(.said(line))) }
    }

    /// What only opening the mirror anew can mend, who keeps the favorites finds out, too, and has that done.
    private func words(of error: ArchiveError) -> String {
        if error.endsService { host.favoritesService.look() }
        return switch error {
        case .storage(let reason) where reason.isDamagedCatalog:
            """
            the catalog \(Text.shown(reason.path)) is damaged: the service makes a new one from the files; run the \
            same command again in a moment
            """
        case .storage(let reason) where reason.isReplacement:
            """
            \(Text.shown(reason.path)) is not what the service has opened: it opens what is there now, or waits for \
            it; run the same command again in a moment
            """
        default: error.description
        }
    }
}
