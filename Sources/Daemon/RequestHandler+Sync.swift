internal import Apod
internal import Archive
internal import Concurrency
internal import Control
internal import Syncing

/// `sync` and `verify --repair`, as commands ask for them.
extension RequestHandler {
    /// How often it is told how much has come.
    private static let beat = Duration.milliseconds(250)
    /// A cancelled refresh, in the words of those who did not cancel it.
    private static let stopped =
        "the service was stopped or has new settings; the same command goes on from here when it is back"

    func sync(_ order: SyncOrder, _ writer: ResponseWriter) async {
        await work(for: writer) { [self] in
            let mirror = context.mirror
            let (since, wanted) = try await blocking { () throws(ArchiveError) in try mirror.range(of: order) }
            if let request = try order.request(since: since, wanted) {
                try await refresh(request, with: mirror.refresh(for: order), named: order.days, writer)
            } else {
                writer.tell(.message(.said(order.nothing(since: since, today: mirror.today))))
            }
            if order.days.isEmpty, !Task.isCancelled { try await fetchDueFavorites(writer) }
            if !order.isByName, !Task.isCancelled { try await applyRetention(writer) }
        }
    }

    func prune(_ writer: ResponseWriter) async {
        await work(for: writer) { [self] in
            let pruning = try await applyRetention(writer, atOnce: true)
            if pruning.days.isEmpty, pruning.refused.isEmpty { writer.tell(.message(.said("nothing to delete"))) }
        }
    }

    @discardableResult
    private func applyRetention(_ writer: ResponseWriter, atOnce: Bool = false) async throws(ArchiveError) -> PruneRound
    {
        let pruning = try await context.mirror.retention.apply(atOnce: atOnce)
        for notice in pruning.notices {
            context.tell(notice)
            let isWarning = notice.grade.rawValue <= Notice.Grade.warning.rawValue
            writer.tell(.message(isWarning ? .complained(notice.words) : .said(notice.words)))
        }
        if let hold = pruning.hold {
            writer.tell(.message(.warned(hold.words)))
            pruneSoon()
        }
        return pruning
    }

    func repair(_ days: Set<Day>, _ entering: Set<Day>, _ writer: ResponseWriter) async {
        await work(for: writer) { [self] in
            let archive = context.mirror.archive
            _ = try await blocking { () throws(ArchiveError) in try archive.rediscover(entering) }
            if !days.isEmpty { try await refresh(.again(days), with: context.mirror.refresh(), named: [], writer) }
        }
    }

    private func work(for writer: ResponseWriter, _ work: () async throws -> Void) async {
        context.activity.change { $0.syncs += 1 }
        do {
            try await work()
            writer.end(.end(why: nil))
        } catch let error as SyncOrder.Mistake {
            writer.end(.mistake(error.description))
        } catch let error as ArchiveError {
            writer.end(.end(why: words(of: error)))
        } catch {
            writer.end(.end(why: "\(error)"))
        }
        context.activity.change { $0.syncs -= 1 }
        await context.releaseMemory()
    }

    private func fetchDueFavorites(_ writer: ResponseWriter) async throws {
        let mirror = context.mirror
        let days = await blocking { (try? mirror.dueFavorites()) ?? [] }
        // What is still to come is no failure.
        if days.isEmpty { return }
        try await refresh(.days(days), with: mirror.refresh(), named: days.filter { $0 <= mirror.today }, writer)
    }

    private func refresh(
        _ request: Refresh.Request, with refresh: Refresh, named: Set<Day>, _ writer: ResponseWriter
    ) async throws {
        writer.tell(.stage(named: named))
        context.mirror.forgive()
        let error = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.tellProgress(writer) }
            defer { group.cancelAll() }
            return try await context.priorityGate.urgently { () async throws(ArchiveError) in
                try await context.follow(request, with: refresh) { event in writer.tell(.event(event)) }
            }
        }
        writer.tell(.stageEnded(why: Task.isCancelled ? Self.stopped : error?.description))
    }

    private func tellProgress(_ writer: ResponseWriter) async {
        let before = context.mirror.received
        var told = 0
        while (try? await sleep(for: Self.beat)) != nil {
            // What counted the bytes may be gone already.
            let received = max(0, context.mirror.received - before)
            guard received != told, writer.isListening else { continue }
            writer.tell(.received(received))
            told = received
        }
    }
}
