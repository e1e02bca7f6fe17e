import Apod
import Catalog
import Concurrency
import Synchronization
import Syncing

/// Shows how a refresh gets on: with a bar on a terminal, with a line for each day otherwise.
final class SyncDisplay: Sendable {
    private struct Tally {
        var planned = 0
        var mirrored = 0
        var unchanged = 0
        var failed = 0
        /// Days of which there is nothing (yet).
        var without = 0
        /// Days without anything that were asked for by their dates.
        var refused = 0

        var ended: Int { mirrored + unchanged + failed + without + refused }
    }

    private let tally = Mutex(Tally())
    private let bar: ProgressBar?

    /// Days that somebody asked for by their dates.
    private let named: Set<Day>

    /// Standard output is kept for a document.
    private let isQuiet: Bool

    /// Where the days are when they have come.
    private let root: String?

    /// `received` tells how many bytes of files have come so far.
    init(named: Set<Day>, isQuiet: Bool, root: String?, received: @escaping @Sendable () -> Int) {
        self.named = named
        self.isQuiet = isQuiet
        self.root = root
        bar = Terminal.isInteractive ? ProgressBar(received) : nil
    }

    func follow(_ events: AsyncThrowingStream<Refresh.Event, any Error>) async throws {
        try await withThrowingTaskGroup { group in
            if let bar {
                group.addTask { [self] in
                    while !Task.isCancelled {
                        let (ended, planned) = tally.withLock { ($0.ended, $0.planned) }
                        bar.draw(done: min(ended, planned), of: planned)
                        try? await sleep(for: .milliseconds(200))
                    }
                    bar.clear()
                }
            }
            defer { group.cancelAll() }
            for try await event in events { take(event) }
        }
    }

    private func take(_ event: Refresh.Event) {
        tally.withLock { count(event, in: &$0) }
        switch event {
        case .planned(let days) where bar == nil && days > 0: say("\(Self.days(days)) to fetch")
        case .rediscovered(let days): say("found in the folder: \(Self.days(days))")
        case .mirrored(let day, let title, let state, let bytes):
            let note = state == .downgraded ? ", a worse copy for now" : state == .placeholder ? ", text only" : ""
            if bar == nil { say("\(day) \(title) (\(Size.text(bytes))\(note))") }
        case .kept(let day, let why): complain("\(day) stays as it is: \(why)")
        case .failed(let day, let why, _): complain("\(day) failed: \(why)")
        case .unanswered(let days, let count, let why):
            let what = count == 0 ? "a second look at the days" : Self.days(count)
            complain("\(what) from \(days.lowerBound) to \(days.upperBound) failed: \(why)")
        case .absent(let day) where named.contains(day): complain("NASA has no picture for \(day)")
        case .notYet(let day) where named.contains(day): complain("\(day) is not published yet")
        case .noted(let words): complain(words)
        case .planned, .unchanged, .absent, .notYet: break
        }
    }

    private static func days(_ count: Int) -> String { count == 1 ? "1 day" : "\(count) days" }

    private func count(_ event: Refresh.Event, in tally: inout Tally) {
        switch event {
        case .planned(let days): tally.planned = days
        case .mirrored: tally.mirrored += 1
        // The newest days are looked at without being planned.
        case .unchanged(let day), .kept(let day, _): if named.contains(day) { tally.unchanged += 1 }
        case .absent(let day), .notYet(let day):
            if named.contains(day) { tally.refused += 1 } else { tally.without += 1 }
        case .failed: tally.failed += 1
        case .unanswered(_, let days, _): tally.failed += max(days, 1)
        case .rediscovered, .noted: break
        }
    }

    private func say(_ text: String) {
        if isQuiet { return }
        makingRoom { Terminal.print(text) }
    }

    private func complain(_ text: String) { makingRoom { Terminal.complain(text) } }

    private func makingRoom(for print: () -> Void) {
        if let bar { bar.clear(for: print) } else { print() }
    }

    /// Says what has come of it, and what to do.
    func sum(endedBy error: (any Error)? = nil) -> ExitStatus {
        let tally = tally.withLock(\.self)
        if let error { Terminal.complain("\(error)") }
        var parts = ["\(tally.mirrored) fetched"]
        if tally.failed > 0 { parts.append("\(tally.failed) failed; the next sync tries again") }
        if tally.mirrored + tally.failed == 0, error == nil { parts = ["nothing new"] }
        let place = root.flatMap { tally.mirrored > 0 ? "in \(Text.shown($0)): " : nil } ?? ""
        say(place + parts.joined(separator: ", "))
        return tally.failed + tally.refused == 0 && error == nil ? .done : .incomplete
    }
}

/// Shows a refresh until it ends. `received` tells how many bytes of files have come so far.
func follow(
    _ running: Refresh.Running, named: Set<Day> = [], into root: String? = nil, quietly: Bool = false,
    received: @escaping @Sendable () -> Int
) async -> ExitStatus {
    Signals.onFirst { running.cancel() }
    let display = SyncDisplay(named: named, isQuiet: quietly, root: root, received: received)
    do {
        try await display.follow(running.events)
        return display.sum()
    } catch {
        return display.sum(endedBy: error)
    }
}
