import Apod
import Configuration
import Favorites
import Files
import Store
import Syncing
import Thumbnails

/// Takes the jobs that commands ask for, while the mirror is open.
final class RequestHandler: Sendable {
    private let parts: ServiceParts
    private let control: ControlServer
    private let web: ControlServer
    /// The queue of accepted jobs. The connections limit how many there are.
    private let orders: AsyncStream<(ResponseWriter, Job)>
    private let enqueue: AsyncStream<(ResponseWriter, Job)>.Continuation

    init(_ parts: ServiceParts, _ control: ControlServer, _ web: ControlServer) {
        (orders, enqueue) = AsyncStream.makeStream()
        self.parts = parts
        self.control = control
        self.web = web
    }

    private var context: ServiceContext { parts.context }

    /// Where the sockets are if the service has no folders from systemd.
    private var folder: String { context.mirror.settings.stateFolder }

    /// Listens, and announces the socket in the mirror.
    func open() async throws {
        try await blocking { [control, context, folder] in
            try context.mirror.archive.announce(try control.listen(beside: folder))
        }
        control.handle { [self] in accept($0, $1) }
    }

    /// The same for the web, if it may change favorites. Commands do not depend on it.
    func openToWeb() async throws {
        guard context.mirror.settings.webFavorites == .yes else { return }
        try await blocking { [web, context, folder] in
            try context.mirror.archive.announceToWeb(try web.listen(beside: folder))
        }
        web.handle { [self] writer, request in
            if isHere(request) { return accept(writer, request) }
            writer.end(.end(Problem(.notHere)))
            return true
        }
    }

    /// Whether the day or the item of a heart is here: a favorite of any other day would have it fetched.
    private func isHere(_ request: ControlRequest) -> Bool {
        guard case .job(.favorites(let order)) = request else { return true }
        return order.keys.allSatisfy { (try? context.mirror.archive.catalog.item(of: $0))?.stored != nil }
    }

    /// Runs until the task is cancelled.
    func run() async throws {
        try await open()
        await withDiscardingTaskGroup { group in
            for await (writer, job) in orders { group.addTask { await self.serve(writer, job) } }
        }
    }

    /// Withdraws the announcement. Must be called before the mirror is closed, even if `run` was not.
    func close() async {
        control.handle(by: nil)
        web.handle(by: nil)
        await blocking { [control, web, context] in
            try? context.mirror.archive.announceToWeb(nil)
            web.stopListening()
            try? context.mirror.archive.announce(nil)
            control.leave()
        }
    }

    /// Queues a job. Returns false if no more jobs are taken.
    func accept(_ writer: ResponseWriter, _ request: ControlRequest) -> Bool {
        guard case .job(let job) = request else { return false }
        writer.send(.taken)
        if case .enqueued = enqueue.yield((writer, job)) { return true }
        return false
    }

    private func serve(_ writer: ResponseWriter, _ job: Job) async {
        // Nothing is begun for those who have gone while they waited.
        if writer.isThere { await writer.runWhileConnected { [self] in await run(job, writer) } }
    }

    private func run(_ job: Job, _ writer: ResponseWriter) async {
        if job.fetches { context.activity.change { $0.syncs += 1 } }
        let runner = JobRunner(parts) { event in
            if case .received = event, !writer.isListening { return }
            writer.send(.event(event))
        }
        let news = await news(before: job)
        do {
            try await blocking { [context] in try context.mirror.archive.checkPlaces() }
            try await runner.run(job)
            await send(news, writer)
            // A refresh that was cut off has said so itself.
            let isCutOff = Task.isCancelled && !job.fetches && !job.isBrief
            writer.end(.end(isCutOff ? Problem(.stopped) : nil))
        } catch let error as SyncOrder.Contradiction {
            writer.end(.mistake(error.description))
        } catch {
            await send(news, writer)
            // `FavoritesService` then meets the same error, and the mirror is opened again.
            let isOver = error.problem.endsService
            if isOver { parts.favorites.lookEverywhere() }
            let failure = Problem(error, in: context.mirror.settings)
            writer.end(.end(isOver ? Problem(.reopening, path: failure.path) : failure))
        }
        if job.fetches { context.activity.change { $0.syncs -= 1 } }
        if !job.isBrief { await context.releaseMemory() }
    }

    private func news(before job: Job) async -> FavoritesNews? {
        guard case .sync = job else { return nil }
        return await blocking { [context] in try? FavoritesNews(context.mirror.archive) }
    }

    private func send(_ news: FavoritesNews?, _ writer: ResponseWriter) async {
        for line in await blocking({ (try? news?.lines) ?? [] }) { writer.send(.event(.said(line))) }
    }
}
