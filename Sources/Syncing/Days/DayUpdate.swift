internal import Apod
internal import Archive
internal import Catalog
internal import Fetching
internal import Thumbnails
internal import Upstream

/// The result of asking for a file.
struct FileResult: Sendable {
    let wanted: WantedFile
    /// nil: the server's file is the one that is here.
    let result: Result<StoredFile?, FetchFailure>
    /// Whether it decodes; nil if not checked, as it replaces nothing.
    var finding: PictureCheck.Finding?
    /// Another day that has the same bytes.
    var other: Day?

    var file: StoredFile? { if case .success(let file) = result { file } else { nil } }
    var failure: FetchFailure? { if case .failure(let failure) = result { failure } else { nil } }
}

/// What to report, to record and to publish of a day.
struct DayUpdate: Sendable {
    let event: RefreshEvent
    /// The status to record. With `metadata`, its `stored` is set when the JSON is written.
    var status: DayStatus?
    /// nil: the JSON stays as it is.
    var metadata: Metadata?
    /// The files that came and are to be published.
    var new: [StoredFile] = []
    /// The files that give way to others, and are kept.
    var replaced: [StoredFile] = []

    /// Reports a replaced file, unless it is a page made here.
    var notice: RefreshEvent? {
        guard let metadata, let old = replaced.first(where: { $0.role != .page }) else { return nil }
        let new = metadata.files.first { $0.role == old.role } ?? metadata.files.main
        return .replaced(metadata.picture.day, isMuchSmaller: new?.isMuchSmaller(than: old) ?? false)
    }
}

extension DayPlan {
    /// Whether the file would replace a whole one.
    func replacesWholeFile(_ file: StoredFile) -> Bool {
        file.role != .page && !isHere(file)
            && known.whole.contains {
                $0.role.number == file.role.number
                    && (($0.role == .poster) == (file.role == .poster) || $0.type == file.type)
            }
    }

    /// Whether its bytes are here under its number.
    private func isHere(_ file: StoredFile) -> Bool {
        known.whole.contains { $0.sha256 == file.sha256 && $0.role.number == file.role.number }
    }

    private enum Verdict {
        /// The file here stays: it is the same, or the other is gone or set aside.
        case stays
        case publish(StoredFile)
        /// The same bytes are here already.
        case drop(StoredFile)
        case ofAnother(Day)
        case later(Failure)
        case gone(Failure)

        var file: StoredFile? {
            switch self {
            case .publish(let file), .drop(let file): file
            default: nil
            }
        }
    }

    /// Judges what came. The first rule that applies decides.
    private func verdict(_ came: FileResult) -> Verdict {
        switch came.result {
        case .success(nil): return .stays
        case .failure(let failure):
            if mayPass(failure.reason) { return .later(failure.failure) }
            let isInPlace = known.whole.contains { file in
                file.role.number == came.wanted.role.number && came.wanted.addresses.contains(where: file.isFrom)
            }
            return isInPlace ? .stays : .gone(failure.failure)
        case .success(let file?):
            if isHere(file) { return .drop(file) }
            if why != .asked, !known.whole.isEmpty, known.setAside.contains(file.sha256) { return .stays }
            if let other = came.other, file.isImage { return .ofAnother(other) }
            switch came.finding {
            case .refused(let why):
                return .later(Failure(.undecodable, Text.brief(why), at: file.address))
            case .unanswered(let why):
                return .later(Failure(.unseen, Text.brief(why), at: file.address))
            case .whole, nil: return .publish(file)
            }
        }
    }

    /// A file that is cut short may still be uploading; a new day does not wait for it.
    private func mayPass(_ reason: FetchError) -> Bool {
        if case .cutShort = reason { return known.stored != nil }
        return !reason.isAbsence
    }

    /// Decides what becomes of the day. Throws only what ends the refresh.
    func update(with came: [FileResult] = []) throws(RefreshError) -> DayUpdate {
        if let error = came.compactMap(\.failure).compactMap(RefreshError.init).first { throw error }
        switch step {
        case .notYet: return DayUpdate(event: .notYet(record.day))
        case .nothing: return DayUpdate(event: .unchanged(record.day), status: postponed)
        case .texts, .fetch: break
        }
        let verdicts = came.map { (came: $0, verdict: verdict($0)) }
        for (came, verdict) in verdicts where came.wanted.isEssential {
            if case .later(let why) = verdict, came.wanted.known == nil { return waiting(why) }
            if case .ofAnother(let other) = verdict { return keeping(came, of: other) }
        }
        var found: [StoredFile.Role: StoredFile] = [:]
        var failure: (why: Failure, isPassing: Bool)?
        for (came, verdict) in verdicts {
            if let file = verdict.file { found[came.wanted.role] = file }
            switch verdict {
            case .later(let why): failure = failure ?? (why, true)
            case .gone(let why): failure = failure ?? (why, false)
            default: break
            }
        }
        let isGone = verdicts.contains { came, verdict in
            if case .gone = verdict { came.wanted.isEssential } else { false }
        }
        // An item is its picture: without one, there is nothing to keep.
        if record.item != nil, isGone, known.files.isEmpty, let failure {
            return failed(failure.why, isPassing: failure.isPassing)
        }
        let first = known.files.filter { !$0.role.isFurther }
        let files = (isGone && !first.isEmpty ? first : arranged(first, found)) + furtherFiles(found)
        let new = verdicts.compactMap { came, verdict in
            if case .publish(let file) = verdict, files.contains(where: { $0.sha256 == file.sha256 }) {
                file
            } else {
                nil
            }
        }
        return stored(files, new: new, failure)
    }

    private var postponed: DayStatus? {
        guard let status = known.status, why != .recheck || RetryPolicy.isDue(status, at: now) else { return nil }
        return status.state == .pruned ? nil : status.postponed(at: now)
    }
}

extension DayPlan {
    /// The files that the record shows, and files that stay although it does not: a video, and an original picture in
    /// the place of a still.
    private func arranged(_ first: [StoredFile], _ found: [StoredFile.Role: StoredFile]) -> [StoredFile] {
        // A file that came replaces one with the same bytes, or a lacking one.
        let here = first.map { file in
            found[file.role].flatMap { $0.sha256 == file.sha256 || isLacking(file) ? $0 : nil }
                .map { $0.with(role: file.role, address: $0.address, isFormer: file.isFormer) } ?? file
        }
        guard let main = shown.first(where: \.isEssential) else {
            return here.isEmpty ? found.values.filter { !$0.role.isFurther } : here
        }
        var files: [StoredFile] = []
        if let file = found[main.role] ?? goodFile(main) ?? here.main {
            // A page in the place of a video keeps its role.
            let role = file.type.kind == main.kind ? main.role : file.role
            files.append(file.with(role: role, address: file.address))
        }
        let shows = files.first?.role
        if shows == .video || shows == .page {
            let poster = shown.first { $0.role == .poster }
            if let file = found[.poster] ?? poster.flatMap(goodFile) {
                files.append(file.with(role: file.isOriginalPicture ? .picture : .poster))
            } else if let picture = here.first(where: \.isOriginalPicture) {
                files.append(picture)
            } else if let still = here.first(where: { $0.role == .poster })
                ?? here.first(where: { $0.role == .picture })
            {
                files.append(still.with(role: .poster))
            }
        }
        if shows != .video, let video = here.first(where: { $0.role == .video }) {
            files.append(video.with(role: .video, address: video.address, isFormer: shows != nil))
        }
        // Files with one suffix have one name: the first stays.
        var suffixes: Set<String> = []
        return files.filter { suffixes.insert($0.type.suffix).inserted }
    }

    /// The further pictures that are here. One that the record shows no more stays where it is.
    private func furtherFiles(_ found: [StoredFile.Role: StoredFile]) -> [StoredFile] {
        let shown = Dictionary(uniqueKeysWithValues: numbered.map { ($0.number, $0.picture) })
        return FileName.furtherNumbers.compactMap { number in
            let here = known.files.first { $0.role.number == number }
            guard var file = found[.also(number)] ?? here else { return nil }
            if let picture = shown[number] {
                (file.alt, file.isRollover, file.isFormer) = (picture.alt, picture.isRollover, false)
            } else if record.media != .none {
                file.isFormer = true
            }
            return file
        }
    }

    private func isLacking(_ file: StoredFile) -> Bool { known.lacking.contains { $0.sha256 == file.sha256 } }

    private func stored(
        _ files: [StoredFile], new: [StoredFile], _ failure: (why: Failure, isPassing: Bool)?
    ) -> DayUpdate {
        let day = record.day
        let isDeleted = known.status?.state == .pruned && files.isEmpty
        let isDowngraded = isDowngraded(files)
        // Where only a mark goes, the feed must not tell of a change.
        let fetched = isSame && new.isEmpty ? known.stored?.fetched : nil
        var metadata = Metadata(
            name: known.stored?.name ?? record.name, picture: record, files: files,
            downgraded: isDowngraded, fetched: fetched ?? now, isPruned: isDeleted)
        metadata.incomplete = failure.map { Incomplete($0.why) }
        metadata.setAside = why == .asked ? [] : known.setAside
        var status = status(with: files, isDowngraded: isDowngraded, failure)
        let failed = failure.map { RefreshEvent.failed(day, why: $0.why, isPassing: $0.isPassing) }
        if isDeleted {
            // Only this JSON remembers what was deleted: it is not replaced.
            if known.isJSONWhole {
                (status.state, status.stored) = (.pruned, known.stored)
                return DayUpdate(event: failed ?? .unchanged(day), status: status)
            }
            status = DayStatus(day: day, state: .pruned)
            metadata.incomplete = nil
        }
        let replaced = known.whole.filter { old in !files.contains { $0.sha256 == old.sha256 } }
        let bytes = new.reduce(0) { $0 + $1.bytes }
        let came: RefreshEvent =
            why == .further && !new.isEmpty
            ? .further(day, title: record.title, bytes: bytes)
            : .mirrored(day, title: record.title, state: status.state, bytes: bytes)
        let event = failed ?? came
        if isNothingNew(metadata, new) {
            return unchanged(files, status, event: failure == nil ? .unchanged(day) : event)
        }
        return DayUpdate(event: event, status: status, metadata: metadata, new: new, replaced: replaced)
    }

    /// A file from another address was brought back (`revert`), and is no worse copy.
    private func isDowngraded(_ files: [StoredFile]) -> Bool {
        guard let main = shown.first(where: \.isEssential) else { return known.metadata?.downgraded ?? false }
        return files.main.map { !isGood($0, for: main) && main.addresses.contains(where: $0.isFrom) } ?? false
    }

    private func status(
        with files: [StoredFile], isDowngraded: Bool, _ failure: (why: Failure, isPassing: Bool)?
    ) -> DayStatus {
        if let failure {
            return .failed(record.day, after: known.status, why: failure.why, isPassing: failure.isPassing, at: now)
        }
        if !isDowngraded, !files.isEmpty { return DayStatus(day: record.day, state: .mirrored) }
        return .wanting(record.day, isDowngraded ? .downgraded : .placeholder, after: known.status, at: now)
    }

    /// The JSON stays: the files differ only in what it does not tell.
    private func unchanged(_ files: [StoredFile], _ status: DayStatus, event: RefreshEvent) -> DayUpdate {
        var status = status
        status.stored = known.stored
        status.stored?.files = files
        let isAsBefore =
            status.stored == known.stored && status.state == .mirrored && known.status?.state == .mirrored
        return DayUpdate(event: event, status: isAsBefore ? nil : status)
    }

    /// Whether the JSON that is here says the same.
    private func isNothingNew(_ metadata: Metadata, _ new: [StoredFile]) -> Bool {
        let isBack = known.status?.state == .pruned && !metadata.files.isEmpty
        guard new.isEmpty, isSame, known.isJSONWhole, !isBack, let before = known.metadata else { return false }
        // The catalog returns the files in another order.
        func told(_ files: [StoredFile]) -> [StoredFile] {
            files.map(\.told).sorted { $0.ending < $1.ending }
        }
        return told(known.files) == told(metadata.files) && before.downgraded == metadata.downgraded
            && before.setAside == metadata.setAside && (before.incomplete == nil) == (metadata.incomplete == nil)
    }

    /// Keeps the day as it is, and marks it as incomplete.
    private func waiting(_ why: Failure) -> DayUpdate {
        var update = failed(why, isPassing: true)
        let awaited = isSame ? nil : record.content
        if known.status?.state == .pruned || known.metadata?.incomplete.map({ $0.awaited == awaited }) == true {
            return update
        }
        update.metadata = known.metadata
        update.metadata?.incomplete = Incomplete(why, awaited: awaited)
        return update
    }

    /// Records a failure, and changes nothing else.
    private func failed(_ why: Failure, isPassing: Bool) -> DayUpdate {
        var status = DayStatus.failed(record.day, after: known.status, why: why, isPassing: isPassing, at: now)
        if known.status?.state == .pruned { status.state = .pruned }
        return DayUpdate(event: .failed(record.day, why: why, isPassing: isPassing), status: status)
    }

    /// Keeps the day as it is: the file that came is the picture of another day.
    private func keeping(_ came: FileResult, of other: Day) -> DayUpdate {
        var metadata = known.metadata
        metadata?.setAside = known.setAside.union([record.content, came.file?.sha256].compactMap(\.self))
        metadata?.incomplete = nil
        let status = DayStatus(day: record.day, state: metadata?.downgraded == true ? .downgraded : .mirrored)
        return DayUpdate(
            event: .kept(record.day, why: "the upstream sends the picture of \(other) for it"),
            status: metadata == nil ? nil : status, metadata: metadata)
    }

    /// Decides what becomes of a refused day. Throws what would stop other days, too.
    func update(after refusal: ArchiveError) throws(RefreshError) -> DayUpdate {
        if refusal.isGeneral { throw .archive(refusal) }
        return failed(refusal.failure, isPassing: false)
    }
}

extension DayStatus {
    /// With a later retry; nil for a day that wants nothing.
    func postponed(at now: Int) -> DayStatus? { state == .mirrored ? nil : later(at: now) }
}
