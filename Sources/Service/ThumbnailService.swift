import Apod
import Configuration
import Decoders
import Files
import Store
import Synchronization
import Syncing
import Thumbnails

/// Makes thumbnails of the pictures that have come, and the JPEG for `latest.jpg`, and takes away those of pictures that
/// are gone.
struct ThumbnailService: Sendable {
    let context: ServiceContext
    private let failure = ToldOnce<String>()
    private let paused = PausedDays()
    private let latest: LatestJPEG
    private let lackOfLatest = ToldOnce<String>()

    init(context: ServiceContext) {
        self.context = context
        latest = LatestJPEG(context.mirror.archive)
    }

    /// Made anew each time: the decoder may have been installed meanwhile.
    private var thumbnails: Thumbnails {
        Thumbnails(context.mirror.archive, for: context.mirror.settings.thumbnailUses)
    }

    /// Pictures made before it looks whether newer ones have come.
    private static let slice = 100

    /// Runs until the task is cancelled.
    func run() async throws {
        try await context.thumbnailQueue.holding {
            try await blocking { try thumbnails.tidy() }
        }
        var (isFirst, hasColors) = (true, false)
        // The uses whose thumbnails are complete, but for days that change from here on.
        var complete: ThumbnailUses?
        let changedDays = context.changedPictures
        repeat {
            let days = changedDays.take()
            if isFirst || !days.isEmpty {
                let possible = try await blocking { try thumbnails.possibleUses() }
                let range = (complete == possible ? Day.range(of: days) : nil) ?? Day.any
                var end = End.cutOff
                while end == .cutOff {
                    end = try await context.thumbnailQueue.holding {
                        try await blocking { try thumbnails.checkShared(of: days) }
                        return try await catchUp(in: range)
                    }
                }
                complete = end == .done ? possible : nil
            }
            if isFirst { await context.releaseMemory() }
            isFirst = false
            if !hasColors { hasColors = try await readColors(unless: changedDays) }
        } while (try? await changedDays.changed()) != nil
    }

    /// Reads the colours that are not known yet. Returns false if something has changed meanwhile, which goes first.
    private func readColors(unless changedDays: ChangedDays) async throws -> Bool {
        var pictures = try await blocking { try thumbnails.colorless() }[...]
        while !pictures.isEmpty, !Task.isCancelled {
            if !changedDays.all.isEmpty { return false }
            let slice = Array(pictures.prefix(Self.slice))
            pictures = pictures.dropFirst(Self.slice)
            let read = try await context.thumbnailQueue.holding {
                try await thumbnails.readColors(of: slice)
            }
            if !read.isEmpty { context.shownDays.add(read.map(\.day)) }
        }
        return true
    }

    private enum End {
        case done
        /// Some are still missing.
        case failed
        /// A command waits to make thumbnails; the rest comes after it.
        case cutOff
    }

    private func catchUp(in range: ClosedRange<Day>) async throws -> End {
        var tried: Set<DayPicture> = []
        while !Task.isCancelled {
            try await makeLatest()
            let missing = try await blocking {
                try thumbnails.removeStale(in: range)
                return try thumbnails.missing(in: range)
            }
            let now = context.time.now
            let pictures = missing.filter { !tried.contains($0) && !paused.contains($0.day, at: now) }
                .prefix(Self.slice)
            if pictures.isEmpty {
                if !tried.isEmpty { await context.releaseMemory() }
                return missing.isEmpty ? .done : .failed
            }
            guard let done = try await make(Array(pictures)) else { return .cutOff }
            // When a whole slice fails, the cause is not in the pictures.
            if done == 0 { return .failed }
            tried.formUnion(pictures)
        }
        return .failed
    }

    /// Returns how many pictures are done, or nil when a person's order goes first.
    private func make(_ pictures: [DayPicture]) async throws -> Int? {
        context.activity.change { $0.isMakingThumbnails = true }
        defer { context.activity.change { $0.isMakingThumbnails = false } }
        var done = 0
        let isWhole = try await makeEach(of: pictures) { thumbnail in
            let day = thumbnail.day
            switch thumbnail.outcome {
            case .made, .there:
                failure.change(to: nil)
                done += 1
            case .refused(let why):
                tell(day, "can be made of the picture: \(why)")
                done += 1
            case .failed(let why):
                if failure.change(to: why) { tell(day, "was made of the picture: \(why)") }
                if thumbnail.isInterrupted { paused.add(day, at: context.time.now) }
            }
            return await context.thumbnailQueue.waitingCount == 0
        }
        return isWhole ? done : nil
    }

    /// Makes the thumbnails of some pictures, until `goesOn` returns false for an outcome. Returns whether it went through all.
    private func makeEach(
        of pictures: [DayPicture], named isNamed: Bool = false, _ goesOn: (Thumbnail) async -> Bool
    ) async throws -> Bool {
        let thumbnails = thumbnails
        try await blocking { try thumbnails.checkRoom() }
        for await thumbnail in thumbnails.thumbnails(for: pictures, named: isNamed) {
            if let shortage = thumbnail.shortage { throw shortage }
            context.shownDays.add([thumbnail.day])
            if await !goesOn(thumbnail) { return false }
        }
        return true
    }

    /// Makes the JPEG for `latest.jpg`, if that needs one.
    func makeLatest() async throws {
        let now = context.time.now
        guard let copy = try await latest.make(unless: { [paused] in paused.contains($0, at: now) }) else { return }
        if let shortage = copy.shortage { throw shortage }
        if copy.isInterrupted { paused.add(copy.day, at: now) }
        switch copy.outcome {
        case .made, .there: lackOfLatest.change(to: nil)
        case .refused(let why), .failed(let why):
            guard lackOfLatest.change(to: why) else { return }
            let words = "latest.jpg is an older picture, as no JPEG was made of this one: \(why)"
            context.tell(.withoutCopy(copy.day, words))
        }
    }

    /// Of an item, the picture is here, which is enough.
    private func tell(_ day: Day, _ words: String) {
        if day.isItem { return }
        context.tell(.withoutCopy(day, "no thumbnail \(words)"))
    }
}

/// What jobs have done with thumbnails.
extension ThumbnailService {
    /// Compares the thumbnails of changed days with their pictures; nil: all thumbnails. Returns the pictures that lack some.
    func putInOrder(_ changed: Set<Day>?) async throws -> [DayPicture] {
        try await blocking {
            if changed == nil { try thumbnails.tidy() }
            try thumbnails.checkShared(of: changed ?? [])
            if let range = changed.map(Day.range) ?? Day.any { try thumbnails.removeStale(in: range) }
            return try thumbnails.missing()
        }
    }

    /// Does that, then makes the thumbnails of some days or, without any, all that are missing. Returns of how many pictures.
    /// `isAsked`: the job is nothing else.
    @discardableResult
    func makeMissing(
        of days: Set<Day> = [], changed: Set<Day>?, isAsked: Bool = false, _ report: @escaping EventHandler
    ) async throws -> Int {
        try await context.thumbnailQueue.holding(rank: 1) {
            let missing = try await putInOrder(changed)
            let wanted = try days.isEmpty ? missing : thumbnails.pictures(of: days)
            if wanted.isEmpty || Task.isCancelled { return 0 }
            guard Worker.path != nil else {
                report(isAsked ? .complained(Thumbnails.lack) : .noted("no thumbnails: \(Thumbnails.lack)"))
                return wanted.count
            }
            let told = wanted.count { !$0.day.isItem }
            if told > 0 { report(.thumbnailsBegan(count: told)) }
            _ = try await makeEach(of: wanted, named: !days.isEmpty) { thumbnail in
                if !thumbnail.day.isItem { report(.thumbnail(thumbnail)) }
                context.changedPictures.add([thumbnail.day])
                return true
            }
            return told
        }
    }
}

/// Days whose pictures are not decoded for a while, as the decoder was killed over them or out of time.
final class PausedDays: Sendable {
    private let begun = Mutex<[Day: Int]>([:])

    func add(_ day: Day, at now: Int) { begun.withLock { $0[day] = now } }

    func contains(_ day: Day, at now: Int) -> Bool {
        begun.withLock { $0[day] }.map { RetryPolicy.pausesDecoding(since: $0, at: now) } ?? false
    }
}
