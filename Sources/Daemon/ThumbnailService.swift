internal import Apod
internal import Archive
internal import Concurrency
internal import Configuration
internal import Syncing
internal import Thumbnails

/// Makes thumbnails of the pictures that have come, and takes away those of pictures that are gone.
struct ThumbnailService: Sendable {
    let context: ServiceContext
    let changedDays: ChangedDays
    private let failure = ToldOnce<String>()

    init(context: ServiceContext) {
        self.context = context
        changedDays = context.mirror.archive.changedDays()
    }

    /// So many, and then it looks whether newer ones have come.
    private static let slice = 100

    /// Until the task is cancelled.
    func run() async throws(ArchiveError) {
        let thumbnails = Thumbnails(context.mirror.archive)
        guard context.mirror.settings.gallery == .yes else {
            return try await blocking { () throws(ArchiveError) in try thumbnails.removeAll() }
        }
        try await context.thumbnailQueue.holding { () async throws(ArchiveError) in
            try await blocking { () throws(ArchiveError) in try thumbnails.tidy() }
        }
        var rings = changedDays.rings.makeAsyncIterator()
        repeat {
            _ = changedDays.take()
            let work = { () async throws(ArchiveError) in try await catchUp(thumbnails) }
            while try await context.thumbnailQueue.holding(work) {}
        } while await rings.next() != nil
    }

    /// Returns whether it has left the rest for later, as somebody waits who was asked for some.
    private func catchUp(_ thumbnails: Thumbnails) async throws(ArchiveError) -> Bool {
        var failed: Set<Day> = []
        var (hasWorked, isStuck) = (false, false)
        while !Task.isCancelled, !isStuck {
            let missing = try await blocking { () throws(ArchiveError) in
                try thumbnails.removeStale()
                return try thumbnails.missing()
            }
            let days = missing.filter { !failed.contains($0) }.prefix(Self.slice)
            if days.isEmpty { break }
            let before = failed.count
            isStuck = true
            for await thumbnail in thumbnails.thumbnails(for: Array(days)) {
                (hasWorked, isStuck) = (true, false)
                switch thumbnail.outcome {
                case .made, .kept: failure.change(to: nil)
                case .refused(let why): tell(thumbnail.day, "can be made of the picture: \(why)")
                case .failed(let why):
                    if failure.change(to: why) { tell(thumbnail.day, "was made of the picture: \(why)") }
                    failed.insert(thumbnail.day)
                }
                context.shownDays.add([thumbnail.day])
                if await context.thumbnailQueue.waitingCount > 0 { return true }
            }
            // When these were all, what comes meanwhile is told of.
            isStuck = isStuck || failed.count - before == days.count || days.count < Self.slice
        }
        if hasWorked { await context.releaseMemory() }
        return false
    }

    private func tell(_ day: Day, _ words: String) {
        context.tell(Notice(.noted, "\(day): no thumbnail \(words)", day: day))
    }
}
