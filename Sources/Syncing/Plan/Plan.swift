import Apod
import Configuration
import Store
import Upstream

/// What is to be done with an item of any list, decided from its record and what is known of it. It does no I/O.
///
/// Two records are the same if their texts are, and their addresses without query (`Picture.content`).
struct Plan: Sendable {
    enum Why: Sendable {
        /// The item is not here, lacks something, or has another record.
        case new
        /// It is one of the newest, which are looked at again.
        case recheck
        /// A person named it. What was set aside is so no more.
        case asked
        /// It is a favorite that is not here.
        case wanted
        /// Its files were found missing or damaged.
        case repair
    }

    enum Step: Sendable, Equatable {
        /// The upstream does not have the item yet.
        case notYet
        case nothing
        /// Only the JSON is written.
        case texts
        case fetch([WantedFile])
    }

    let known: Known
    /// The record that will be written: the one that is here, where what came was set aside.
    let record: Picture
    let why: Why
    let settings: Settings
    let now: Int
    private(set) var step = Step.nothing

    /// `record`: as it came.
    init(_ record: Picture, _ why: Why, knowing known: Known, by settings: Settings, at now: Int) {
        let kept = known.record
        let isSetAside = why != .asked && known.setAside.contains(record.content)
        // A record from the list of articles never replaces one from APOD Basic.
        let isLesser = record.isStandIn && kept?.isStandIn == false
        self.record = (isSetAside || isLesser ? kept : nil) ?? record
        (self.known, self.why, self.settings, self.now) = (known, why, settings, now)
        step = decided
    }

    /// The first row that fits counts.
    private var decided: Step {
        guard let item = known.item, let stored = item.stored else {
            let hasJustBegun = record.day.map { RetryPolicy.hasJustBegun($0, at: now) } ?? false
            let isOfAnotherDay = !record.namesItsDay && hasJustBegun
            return isOfAnotherDay ? .notYet : .fetch(shown)
        }
        if why == .asked {
            return fetch(lacking + missing + shown.compactMap(again), else: isSame ? untouched : .texts)
        }
        if item.state == .pruned { return why == .wanted || why == .new ? .fetch(shown) : untouched }
        let isPaused = why == .recheck && item.isOwing && !Item.isDue(item, at: now)
        if isPaused, isSame || known.mirror?.incomplete?.awaited == record.content { return untouched }
        guard isSame else { return fetch(missing + questions, else: .texts) }
        let isWhole = item.state == .mirrored && stored.lacks == 0
        // The JSON of an item that failed says that it is incomplete.
        let isTold = item.state != .failed && stored.lacks == 0
        return fetch(lacking + (isWhole ? [] : missing) + questions, else: isTold ? untouched : .texts)
    }

    private func fetch(_ files: [WantedFile], else step: Step) -> Step {
        var roles: Set<StoredFile.Role> = []
        // One file for each role, the last: a file can be both lacking and shown.
        let files = files.reversed().filter { roles.insert($0.role).inserted }
        return files.isEmpty ? step : .fetch(files.reversed())
    }

    private var untouched: Step { known.isJSONWhole ? .nothing : .texts }
}

extension Plan {
    /// One from APOD Basic is another record than the article that stands in for it.
    var isSame: Bool { known.stored.map { $0.content == record.content && $0.isStandIn == record.isStandIn } ?? false }

    /// Whether a person asks for what was set aside.
    var endsSetAside: Bool { why == .asked && !known.setAside.isEmpty }

    /// Whether the record's files are still to come, also where they have the addresses of those that are here.
    var isAwaited: Bool { endsSetAside || known.mirror?.incomplete?.awaited == record.content }

    /// Whether the day is no older than `recheck-days`. Of a list, the cover and the newest items are looked at again.
    private var isRecent: Bool {
        guard let day = record.day else { return why == .recheck }
        return day >= NewYork.day(at: now).advanced(by: -settings.recheckDays)
    }

    var shown: [WantedFile] {
        let hasVideo = known.whole.contains { $0.role == .video }
        return WantedFile.files(of: record.media, settings, hasVideo: hasVideo)
            + numbered.flatMap { WantedFile.image(.also($0.number), $0.picture.source, settings) }
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
        return zip(numbers, record.further).compactMap { known, picture in
            (known ?? others.popFirst()).map { ($0, picture) }
        }
    }

    /// Files that the record shows and the item lacks, except a still beside an original picture, and copies that are
    /// worse than the one here.
    private var missing: [WantedFile] {
        shown.filter { goodFile($0) == nil }.compactMap { wanted in
            if wanted.role == .poster, known.whole.contains(where: \.isOriginalPicture) { return nil }
            var wanted = wanted
            wanted.digest =
                known.lacking.first {
                    $0.role == wanted.role && wanted.addresses.contains(where: $0.isFrom)
                }?.sha256
            if let here = known.whole.first(where: { $0.role == wanted.role }) {
                wanted.addresses = Array(wanted.addresses.prefix { $0 != here.address })
                let isGood = !here.address.isRendition && known.mirror?.isDowngraded != true
                if isGood { wanted.addresses = wanted.addresses.prefix(wanted.good).filter { !$0.isRendition } }
            }
            return wanted.addresses.isEmpty ? nil : wanted
        }
    }

    /// Files that are missing or damaged, to be fetched from where they came.
    private var lacking: [WantedFile] {
        known.lacking.map {
            WantedFile(role: $0.role, kind: $0.type.kind, addresses: [$0.address], digest: $0.sha256)
        }
    }

    /// Requests for files that are here: conditional ones, and those at an address with another query than the file's.
    private var questions: [WantedFile] {
        let isAsked = why != .repair && isRecent || known.item?.state == .failed
        return shown.compactMap(again).filter { wanted in
            isAsked && (wanted.known != nil || isAwaited) || why == .recheck && goodFile(wanted)?.isOfNeighbour == true
                || !isSame && goodFile(wanted)?.address != wanted.addresses.first
        }
    }

    /// Whether another mirror's file is as good as NASA's: one that was here, or one of an old item, which changes no more.
    func isShared(_ wanted: WantedFile) -> Bool {
        wanted.digest != nil || !isRecent && known.files.isEmpty
    }

    private func again(_ wanted: WantedFile) -> WantedFile? {
        guard let file = goodFile(wanted), file.role != .page, !file.address.isRendition else { return nil }
        let others = wanted.addresses.contains(file.address) ? [] : wanted.addresses
        let address = others.first { $0.withoutQuery == file.address.withoutQuery } ?? file.address
        // Those of a file that was brought back are of what the server has there, which a person has asked for.
        let validators = isAwaited || file.isOfNeighbour ? nil : file.validators
        return WantedFile(role: wanted.role, kind: wanted.kind, addresses: [address], known: validators)
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
}

/// What is known of an item before its record is looked at.
struct Known: Sendable {
    var item: Item?
    /// The files that are in the tree and whole.
    var whole: [StoredFile] = []
    /// The JSON and its record; nil if that was not read or cannot be.
    var document: Document?
    var record: Picture?
    /// The JSON is as it was written, or was not looked at.
    var isJSONWhole = true

    var stored: Item.Stored? { item?.stored }
    var files: [StoredFile] { stored?.files ?? [] }
    var mirror: MirrorPart? { document?.mirror ?? stored?.mirror }
    var setAside: Set<Digest> { mirror?.setAside ?? [] }
    /// The files that are missing or damaged.
    var lacking: [StoredFile] { files.filter { file in !whole.contains { $0.sha256 == file.sha256 } } }
}
