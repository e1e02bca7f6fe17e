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
    private let paused = PausedDecoding()
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
        // The uses whose thumbnails are complete, but for what changes from here on.
        var complete: ThumbnailUses?
        let changes = context.changedPictures
        repeat {
            let keys = changes.take()
            if isFirst || !keys.isEmpty {
                let possible = try await blocking { try thumbnails.possibleUses() }
                let scope = (complete == possible ? Scope(of: keys) : nil) ?? .all
                var end = End.cutOff
                while end == .cutOff {
                    end = try await context.thumbnailQueue.holding {
                        try await blocking { try thumbnails.checkShared(of: keys) }
                        return try await catchUp(in: scope)
                    }
                }
                complete = end == .done ? possible : nil
            }
            if isFirst { await context.releaseMemory() }
            isFirst = false
            if !hasColors { hasColors = try await readColors(unless: changes) }
        } while (try? await changes.changed()) != nil
    }

    /// Reads the colours that are not known yet. Returns false if something has changed meanwhile, which goes first.
    private func readColors(unless changes: ChangedKeys) async throws -> Bool {
        var pictures = try await blocking { try thumbnails.colorless() }[...]
        while !pictures.isEmpty, !Task.isCancelled {
            if !changes.all.isEmpty { return false }
            let slice = Array(pictures.prefix(Self.slice))
            pictures = pictures.dropFirst(Self.slice)
            let read = try await context.thumbnailQueue.holding {
                try await thumbnails.readColors(of: slice)
            }
            if !read.isEmpty { context.shown.add(read.map(\.key)) }
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

    private func catchUp(in scope: Scope) async throws -> End {
        var tried: Set<PictureKey> = []
        while !Task.isCancelled {
            try await makeLatest()
            let missing = try await blocking {
                try thumbnails.removeStale(in: scope)
                return try thumbnails.missing(in: scope)
            }
            let now = context.time.now
            let pictures = missing.filter { !tried.contains($0) && !paused.contains($0.key, at: now) }
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
    private func make(_ pictures: [PictureKey]) async throws -> Int? {
        context.activity.change { $0.isMakingThumbnails = true }
        defer { context.activity.change { $0.isMakingThumbnails = false } }
        var done = 0
        let isWhole = try await makeEach(of: pictures) { thumbnail in
            let key = thumbnail.key
            switch thumbnail.outcome {
            case .made, .there:
                failure.change(to: nil)
                done += 1
            case .refused(let why):
                tell(key, "can be made of the picture: \(why)")
                done += 1
            case .failed(let why):
                if failure.change(to: why) { tell(key, "was made of the picture: \(why)") }
                if thumbnail.isInterrupted { paused.add(key, at: context.time.now) }
            }
            return await context.thumbnailQueue.waitingCount == 0
        }
        return isWhole ? done : nil
    }

    /// Makes the thumbnails of some pictures, until `goesOn` returns false for an outcome. Returns whether it went through all.
    private func makeEach(
        of pictures: [PictureKey], named isNamed: Bool = false, _ goesOn: (Thumbnail) async -> Bool
    ) async throws -> Bool {
        let thumbnails = thumbnails
        try await blocking { try thumbnails.checkRoom() }
        for await thumbnail in thumbnails.thumbnails(for: pictures, named: isNamed) {
            if let shortage = thumbnail.shortage { throw shortage }
            context.shown.add([thumbnail.key])
            if await !goesOn(thumbnail) { return false }
        }
        return true
    }

    /// Makes the JPEG for `latest.jpg`, if that needs one.
    func makeLatest() async throws {
        let now = context.time.now
        guard let copy = try await latest.make(unless: { [paused] in paused.contains(.day($0), at: now) }) else {
            return
        }
        if let shortage = copy.shortage { throw shortage }
        if copy.isInterrupted { paused.add(copy.key, at: now) }
        switch copy.outcome {
        case .made, .there: lackOfLatest.change(to: nil)
        case .refused(let why), .failed(let why):
            guard lackOfLatest.change(to: why) else { return }
            let words = "latest.jpg is an older picture, as no JPEG was made of this one: \(why)"
            if let day = copy.key.day { context.tell(.withoutCopy(day, words)) }
        }
    }

    /// Of an item, the picture is here, which is enough.
    private func tell(_ key: Key, _ words: String) {
        guard let day = key.day else { return }
        context.tell(.withoutCopy(day, "no thumbnail \(words)"))
    }
}

/// What jobs have done with thumbnails.
extension ThumbnailService {
    /// Compares the thumbnails of what has changed with its pictures; nil: all thumbnails. Returns the pictures that lack some.
    func putInOrder(_ changed: Set<Key>?) async throws -> [PictureKey] {
        try await blocking {
            if changed == nil { try thumbnails.tidy() }
            try thumbnails.checkShared(of: changed ?? [])
            if let scope = changed.map(Scope.init) ?? .all { try thumbnails.removeStale(in: scope) }
            return try thumbnails.missing()
        }
    }

    /// Does that, then makes the thumbnails of some days or, without any, all that are missing. Returns of how many pictures.
    /// `isAsked`: the job is nothing else.
    @discardableResult
    func makeMissing(
        of days: Set<Day> = [], changed: Set<Key>?, isAsked: Bool = false, _ report: @escaping EventHandler
    ) async throws -> Int {
        try await context.thumbnailQueue.holding(rank: 1) {
            let missing = try await putInOrder(changed)
            let wanted = try days.isEmpty ? missing : thumbnails.pictures(of: Set(days.map(Key.day)))
            if wanted.isEmpty || Task.isCancelled { return 0 }
            guard Worker.path != nil else {
                report(isAsked ? .complained(Thumbnails.lack) : .noted("no thumbnails: \(Thumbnails.lack)"))
                return wanted.count
            }
            let told = wanted.count { $0.key.list == nil }
            if told > 0 { report(.thumbnailsBegan(count: told)) }
            _ = try await makeEach(of: wanted, named: !days.isEmpty) { thumbnail in
                if thumbnail.key.list == nil { report(.thumbnail(thumbnail)) }
                context.changedPictures.add([thumbnail.key])
                return true
            }
            return told
        }
    }
}

/// Keys whose pictures are not decoded for a while, as the decoder was killed over them or out of time.
final class PausedDecoding: Sendable {
    private let begun = Mutex<[Key: Int]>([:])

    func add(_ key: Key, at now: Int) { begun.withLock { $0[key] = now } }

    func contains(_ key: Key, at now: Int) -> Bool {
        begun.withLock { $0[key] }.map { RetryPolicy.pausesDecoding(since: $0, at: now) } ?? false
    }
}
