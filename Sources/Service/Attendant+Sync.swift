internal import Apod
internal import Archive
internal import Files

/// `sync` and `verify --repair`, as commands ask for them.
extension Attendant {
    /// How often it is told how much has come.
    private static let beat = Duration.milliseconds(250)
    /// A cancelled refresh, in the words of those who did not cancel it.
    private static let stopped =
        "the service was stopped or has new settings; the same command goes on from here when it is back"

    func sync(_ order: SyncOrder, _ visitor: Visitor) async {
        await work(for: visitor) { [self] in
            let session = station.session
            let (since, wanted) = try await blocking { () throws(ArchiveError) in try session.range(of: order) }
            if let wish = try order.wish(since: since, wanted) {
                try await refresh(wish, with: session.refresh(for: order), named: order.days, visitor)
            } else {
                visitor.tell(.entry(.said(order.nothing(today: session.today))))
            }
            if order.days.isEmpty, !Task.isCancelled { try await fetchWishes(visitor) }
            if !order.isByName, !Task.isCancelled { try await letGo(visitor) }
        }
    }

    func prune(_ visitor: Visitor) async {
        await work(for: visitor) { [self] in
            let pruning = try await letGo(visitor, atOnce: true)
            if pruning.days.isEmpty, pruning.refused.isEmpty { visitor.tell(.entry(.said("nothing to delete"))) }
        }
    }

    @discardableResult
    private func letGo(_ visitor: Visitor, atOnce: Bool = false) async throws(ArchiveError) -> Pruning {
        let pruning = try await station.session.retention.apply(atOnce: atOnce)
        for notice in pruning.notices {
            station.tell(notice)
            let isWarning = notice.grade.rawValue <= Notice.Grade.warning.rawValue
            visitor.tell(.entry(isWarning ? .complained(notice.words) : .said(notice.words)))
        }
        if let hold = pruning.hold {
            visitor.tell(.entry(.warned(hold.words)))
            clear()
        }
        return pruning
    }

    func repair(_ days: Set<Day>, _ entering: Set<Day>, _ visitor: Visitor) async {
        await work(for: visitor) { [self] in
            let archive = station.session.archive
            _ = try await blocking { () throws(ArchiveError) in try archive.adopt(entering) }
            if !days.isEmpty { try await refresh(.again(days), with: station.session.refresh(), named: [], visitor) }
        }
    }

    private func work(for visitor: Visitor, _ work: () async throws -> Void) async {
        station.activity.change { $0.syncs += 1 }
        do {
            try await work()
            visitor.end(.end(why: nil))
        } catch let error as SyncOrder.Mistake {
            visitor.end(.mistake(error.description))
        } catch let error as ArchiveError {
            visitor.end(.end(why: words(of: error)))
        } catch {
            visitor.end(.end(why: "\(error)"))
        }
        station.activity.change { $0.syncs -= 1 }
        await station.rest()
    }

    private func fetchWishes(_ visitor: Visitor) async throws {
        let session = station.session
        let days = await blocking { (try? session.wishes()) ?? [] }
        // What is still to come is no failure.
        if days.isEmpty { return }
        try await refresh(.days(days), with: session.refresh(), named: days.filter { $0 <= session.today }, visitor)
    }

    private func refresh(
        _ wish: Refresh.Wish, with refresh: Refresh, named: Set<Day>, _ visitor: Visitor
    ) async throws {
        visitor.tell(.stage(named: named))
        station.session.forgive()
        let error = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.tellProgress(visitor) }
            defer { group.cancelAll() }
            return try await station.precedence.first { () async throws(ArchiveError) in
                try await station.follow(wish, with: refresh) { event in visitor.tell(.event(event)) }
            }
        }
        visitor.tell(.stageEnded(why: Task.isCancelled ? Self.stopped : error?.description))
    }

    private func tellProgress(_ visitor: Visitor) async {
        let before = station.session.received
        var told = 0
        while (try? await nap(for: Self.beat)) != nil {
            // What counted the bytes may be gone already.
            let received = max(0, station.session.received - before)
            guard received != told, visitor.isListening else { continue }
            visitor.tell(.received(received))
            told = received
        }
    }
}
