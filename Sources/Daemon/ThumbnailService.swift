internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Control
internal import Files
internal import Syncing
internal import Thumbnails

/// Makes thumbnails of the pictures that have come, and takes away those of pictures that are gone.
struct ThumbnailService: Sendable {
    let context: ServiceContext
    private let failure = ToldOnce<String>()
    private let paused = PausedDays()

    init(context: ServiceContext) { self.context = context }

    /// Pictures made before it looks whether newer ones have come.
    private static let slice = 100

    /// Runs until the task is cancelled; ends at once where no thumbnails are wanted.
    func run() async throws(StorageError) {
        let uses = context.mirror.settings.thumbnailUses
        let thumbnails = Thumbnails(context.mirror.archive, for: uses)
        try await context.thumbnailQueue.holding { () async throws(StorageError) in
            try await stoppable { stop throws(StorageError) in try thumbnails.tidy { stop.isSet } }
        }
        if uses.isEmpty { return }
        var isFirst = true
        // The uses whose thumbnails are complete, but for days that change from here on.
        var complete: ThumbnailUses?
        let changedDays = context.changedPictures
        var signals = changedDays.signals.makeAsyncIterator()
        repeat {
            let days = changedDays.take()
            if isFirst || !days.isEmpty {
                let possible = try await blocking { () throws(StorageError) in try thumbnails.possibleUses() }
                let range = (complete == possible ? Day.range(of: days) : nil) ?? Day.all
                try await context.thumbnailQueue.holding { () async throws(StorageError) in
                    try await stoppable { stop throws(StorageError) in
                        try thumbnails.follow(days) { stop.isSet }
                    }
                }
                var end = End.cutOff
                while end == .cutOff {
                    end = try await context.thumbnailQueue.holding { () async throws(StorageError) in
                        try await catchUp(thumbnails, in: range)
                    }
                }
                complete = end == .done ? possible : nil
            }
            if isFirst { await context.releaseMemory() }
            isFirst = false
        } while await signals.next() != nil
    }

    private enum End {
        case done
        /// Some are still missing.
        case failed
        /// A command waits to make thumbnails; the rest comes after it.
        case cutOff
    }

    private func catchUp(
        _ thumbnails: Thumbnails, in range: ClosedRange<Day>
    ) async throws(StorageError) -> End {
        var tried: Set<Day> = []
        while !Task.isCancelled {
            let missing = try await stoppable { stop throws(StorageError) in
                try thumbnails.removeStale(in: range) { stop.isSet }
                return try thumbnails.missing(in: range)
            }
            let now = context.time.now
            let days = missing.filter { !tried.contains($0) && !paused.contains($0, at: now) }.prefix(Self.slice)
            if days.isEmpty {
                if !tried.isEmpty { await context.releaseMemory() }
                return missing.isEmpty ? .done : .failed
            }
            guard let done = try await make(thumbnails, of: Array(days)) else { return .cutOff }
            // When a whole slice fails, the cause is not in the pictures.
            if done == 0 { return .failed }
            tried.formUnion(days)
        }
        return .failed
    }

    /// Returns how many days are done, or nil when a person's order goes first.
    private func make(_ thumbnails: Thumbnails, of days: [Day]) async throws(StorageError) -> Int? {
        context.activity.change { $0.isMakingThumbnails = true }
        defer { context.activity.change { $0.isMakingThumbnails = false } }
        try await blocking { () throws(StorageError) in try thumbnails.checkRoom() }
        var done = 0
        for await thumbnail in thumbnails.thumbnails(for: days) {
            if let shortage = thumbnail.shortage { throw shortage }
            let day = thumbnail.day
            switch thumbnail.outcome {
            case .made, .kept:
                failure.change(to: nil)
                done += 1
            case .refused(let why):
                tell(day, "can be made of the picture: \(why)")
                done += 1
            case .failed(let why):
                if failure.change(to: why) { tell(day, "was made of the picture: \(why)") }
                if thumbnail.isInterrupted { paused.add(day, at: context.time.now) }
            }
            context.shownDays.add([day])
            if await context.thumbnailQueue.waitingCount > 0 { return nil }
        }
        return done
    }

    private func tell(_ day: Day, _ words: String) {
        context.tell(Notice(.noted, "\(day): no thumbnail \(words)", day: day))
    }
}
