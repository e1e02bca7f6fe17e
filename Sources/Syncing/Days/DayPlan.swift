internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Upstream

/// Decides what to do about a day, from its record and what is known of it. It does no I/O.
struct DayPlan: Sendable {
    enum Why: Sendable {
        /// The day is one of the newest, which are looked at again.
        case recheck
        /// Something of the day is missing.
        case due
        /// The day was named, or is a favorite that is not here.
        case asked
        /// Files of the day were found missing or damaged.
        case repair
        /// The first pictures of all days are here. The record is the one that was kept.
        case further
    }

    enum Step: Sendable, Equatable {
        /// The upstream does not have the day yet.
        case notYet
        case nothing
        /// Only the JSON is written.
        case texts
        case fetch([WantedFile])
    }

    let known: KnownDay
    let record: Picture
    let why: Why
    let settings: Settings
    let now: Int

    /// `record`: as it came. One that stands in takes the place of none: the one that was kept counts.
    init(known: KnownDay, record: Picture, why: Why, settings: Settings, now: Int) {
        let kept = record.isStandIn ? known.metadata?.picture : nil
        self.record = kept.flatMap { $0.isStandIn ? nil : $0 } ?? record
        (self.known, self.why, self.settings, self.now) = (known, why, settings, now)
    }

    /// The first step that applies.
    var step: Step {
        guard let status = known.status, status.stored != nil else {
            let isOfAnotherDay = !record.namesItsDay && RetryPolicy.hasJustBegun(record.day, at: now)
            return isOfAnotherDay ? .notYet : .fetch(first)
        }
        if status.state == .pruned { return why == .asked || why == .due ? .fetch(first) : untouched }
        if why == .further { return fetch(missing.filter(\.role.isFurther), else: untouched) }
        if why == .asked {
            return fetch(lacking + missing + shown.compactMap(again), else: isSame ? untouched : .texts)
        }
        let isPaused = why == .recheck && status.state != .mirrored && !RetryPolicy.isDue(status, at: now)
        if isPaused, isSame || isSetAside || known.metadata?.incomplete?.awaited == record.content { return untouched }
        // The JSON of a failed day says that it is incomplete, and is written anew.
        let settled = status.state == .failed ? .texts : untouched
        if isSetAside { return fetch(lacking, else: settled) }
        if isSame {
            // A complete day does without files that could not be had.
            let missing = status.state == .mirrored ? [] : missing
            return fetch(lacking + missing + questions, else: settled)
        }
        return fetch(missing + questions, else: .texts)
    }

    private func fetch(_ files: [WantedFile], else step: Step) -> Step {
        var roles: Set<StoredFile.Role> = []
        // One file for each role, the last: a file can be both lacking and shown.
        let files = files.reversed().filter { roles.insert($0.role).inserted }
        return files.isEmpty ? step : .fetch(files.reversed())
    }

    private var untouched: Step { known.isJSONWhole ? .nothing : .texts }
}

extension DayPlan {
    var isSame: Bool { known.stored?.content == record.content }

    /// Whether a person did not want this record's files, or they are another day's.
    private var isSetAside: Bool { known.setAside.contains(record.content) }

    /// Whether the day is no older than `recheck-days`, or a list's cover, which has no date.
    var isRecent: Bool {
        record.item?.name == .cover || record.day >= NewYork.day(at: now).advanced(by: -settings.recheckDays)
    }

    var shown: [WantedFile] {
        first + numbered.flatMap { WantedFile.image(.also($0.number), $0.picture.source, settings) }
    }

    /// A new day is stored with its first picture. The others come when all days have theirs.
    private var first: [WantedFile] {
        WantedFile.files(of: record.media, settings, hasVideo: known.whole.contains { $0.role == .video })
    }

    /// The further pictures by their numbers. One that is here keeps its own, the others take the lowest.
    var numbered: [(number: Int, picture: FurtherPicture)] {
        var here = known.files.filter(\.role.isFurther)
        let numbers = record.further.map { picture in
            here.firstIndex { picture.source.addresses.contains(where: $0.isFrom) }.map {
                here.remove(at: $0).role.number
            }
        }
        var others = FileName.furtherNumbers.filter { !numbers.contains($0) }[...]
        return zip(numbers, record.further).map { ($0 ?? others.removeFirst(), $1) }
    }

    /// Files that the record shows and the day lacks, except a still beside an original picture, and copies that are
    /// worse than the one here.
    private var missing: [WantedFile] {
        shown.filter { goodFile($0) == nil }.compactMap { wanted in
            if wanted.role == .poster, known.whole.contains(where: \.isOriginalPicture) { return nil }
            var wanted = wanted
            if let here = here(wanted.role) {
                wanted.addresses = Array(wanted.addresses.prefix { $0 != here.address })
                let isGood = !here.address.isRendition && known.metadata?.downgraded != true
                if isGood { wanted.addresses = wanted.addresses.prefix(wanted.good).filter { !$0.isRendition } }
            }
            return wanted.addresses.isEmpty ? nil : wanted
        }
    }

    /// Files that are missing or damaged, to be fetched from where they came.
    private var lacking: [WantedFile] {
        known.lacking.map { WantedFile(role: $0.role, kind: $0.type.kind, addresses: [$0.address]) }
    }

    /// Conditional requests for the files here that the server gave an ETag or a date for.
    private var questions: [WantedFile] {
        guard why != .repair && isRecent || known.status?.state == .failed else { return [] }
        return shown.compactMap(again).filter { $0.known != nil }
    }

    private func again(_ wanted: WantedFile) -> WantedFile? {
        guard let file = goodFile(wanted), file.role != .page, !file.address.isRendition else { return nil }
        return WantedFile(role: wanted.role, kind: wanted.kind, addresses: [file.address], known: file.validators)
    }

    /// The file here that came from a good address.
    func goodFile(_ wanted: WantedFile) -> StoredFile? {
        known.whole.first {
            $0.type.kind == wanted.kind && $0.role.number == wanted.role.number && isGood($0, for: wanted)
        }
    }

    /// Addresses are compared as originals, without query.
    func isGood(_ file: StoredFile, for wanted: WantedFile) -> Bool {
        let good = wanted.addresses.prefix(wanted.good)
        guard !file.address.isRendition || settings.pictures == .screen || good.contains(file.address) else {
            return false
        }
        return good.contains(where: file.isFrom)
    }

    private func here(_ role: StoredFile.Role) -> StoredFile? { known.whole.first { $0.role == role } }
}

/// What is known of a day before its record is looked at.
struct KnownDay: Sendable {
    var status: DayStatus?
    /// The day's files that are in the tree and whole.
    var whole: [StoredFile] = []
    /// From the day's JSON; nil if that was not read or cannot be.
    var metadata: Metadata?
    /// The JSON is as it was written, or was not looked at.
    var isJSONWhole = true

    var stored: StoredDay? { status?.stored }
    var files: [StoredFile] { stored?.files ?? [] }
    var setAside: Set<Digest> { metadata?.setAside ?? [] }
    /// The day's files that are missing or damaged.
    var lacking: [StoredFile] { files.filter { file in !whole.contains { $0.sha256 == file.sha256 } } }
}
