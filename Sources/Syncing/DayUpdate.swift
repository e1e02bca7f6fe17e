internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Fetching
internal import Upstream

/// What becomes of a day that the upstream has a record of: decided from what is known before anything is fetched, and
/// again from what came. Nothing is asked, read or written here.
struct DayUpdate: Sendable {
    /// The upstream's record.
    let picture: Picture
    /// What the catalog remembers of the day.
    let known: DayStatus?
    /// What is not good enough is not looked at again before its time.
    let keepsToPauses: Bool
    /// All that is not whole is to come again.
    let isAgain: Bool
    let settings: Settings
    /// What this record shows was had a short while ago, and was worse than what is here.
    var isRefused = false
    /// Those of its files that are in the tree and whole.
    var good: [StoredFile] = []
    /// Another day of the same answer with the same title and text, and the explanation that this one has had.
    var twin: (day: Day, explanation: String?)?
    /// Pictures that this day has had, whole by their size and SHA-256 only. One that is here is as good as none: it is
    /// fetched again, anything else takes its place, and until then it stays. One that comes takes the place of nothing
    /// whole.
    var damaged: [Digest: Catalog.DamagedPicture] = [:]
    /// Files that are neither whole nor to be had any more.
    var lost: [StoredFile] = []

    /// What is to be done, before anything is fetched.
    enum Plan: Sendable {
        case unchanged
        /// The upstream does not have the day yet.
        case notYet
        /// What is here is better. The status is to be remembered, here and below.
        case keep(why: String, DayStatus?)
        case fetch([WantedFile])
    }

    func plan(at now: Int) -> Plan {
        if isUnchanged(at: now) { return .unchanged }
        if isOfAnotherDay(at: now) { return .notYet }
        if let why = lessThanHere ?? wordsForSeveralDays { return .keep(why: why, known?.stillWanting(at: now)) }
        return .fetch(wantedFiles)
    }

    /// What is to be done when the files have come, or could not be had.
    enum Conclusion: Sendable {
        /// `new`: those of the files that have come; the others stay as they are in the tree. `brings`: what other days of
        /// the answer may compare theirs with. The status is without `stored`: the JSON is not written yet.
        case store(Metadata, DayStatus, new: [StoredFile], brings: [Digest])
        /// These take the place of good files: only if no other day of the answer brings the same, and what is a picture can
        /// be decoded.
        case compare([StoredFile])
        case keep(why: String, DayStatus?)
        case fail(why: String, isPassing: Bool, DayStatus?)
        /// The refresh ends or, if only a month is closed, goes on with others.
        case stop(RefreshError, DayStatus?)
        /// What was to stay is lost: the day becomes what its record shows.
        case planAgain(DayUpdate)
    }

    /// `others`: which other days of the answer bring the same files; nil while that is not known. `undecodable`: why those
    /// of the files that would take the place of good ones cannot be decoded.
    func conclusion(
        from results: [FileResult], others: [Digest: Day]? = nil, undecodable: [Digest: String] = [:], at now: Int
    ) -> Conclusion {
        if let error = results.compactMap(\.failure).compactMap(RefreshError.init).first { return .stop(error, nil) }
        var results = results.map { result in
            let result = result.substituted(from: good)
            // The poster that is here stays; the rest may be a correction.
            let isWorsePoster = result.had.map { damage($0) != nil || $0.isNew && hasShrunk($0.file) } ?? false
            return !result.wanted.isEssential && isWorsePoster ? result.keeping(whole) : result
        }
        let main = results.first { $0.wanted.isEssential }
        if let failure = main?.failure, mayPass(failure.reason) { return fail(failure, isPassing: true, at: now) }
        if isHere, let why = worse(main) { return .keep(why: why, known?.stillWanting(at: now)) }
        if main?.had.map({ damage($0) != nil }) ?? true {
            var update = self
            update.lost = staying
            if update.lost.contains(where: { $0.role != .poster }) { return .planAgain(update) }
        }
        if main?.had == nil, let failure = main?.failure, hadFiles { return fail(failure, isPassing: false, at: now) }
        let replacing = results.compactMap { $0.replacing(good) }
        guard let others = replacing.isEmpty ? [:] : others else { return .compare(replacing) }
        for file in replacing {
            let other = others[file.sha256].map {
                "the upstream sends one \(file.role.rawValue) for several days, also for \($0)"
            }
            let riddle = undecodable[file.sha256].map {
                "what can be had now, at \(file.address), cannot be decoded: \($0)"
            }
            guard let why = other ?? riddle else { continue }
            guard file.role == .poster else { return .keep(why: why, known?.stillWanting(at: now)) }
            // The poster that is here stays; the rest may be a correction.
            results = results.map { $0.wanted.role == .poster ? $0.keeping(good) : $0 }
        }
        return store(results, at: now)
    }

    /// What is to be done when the archive does not take the day.
    func conclusion(from refusal: ArchiveError, at now: Int) -> Conclusion {
        if refusal.isOfMonth { return .stop(.archive(refusal), failed(refusal, isPassing: true, at: now)) }
        if refusal.isGeneral { return .stop(.archive(refusal), nil) }
        return fail(refusal, isPassing: false, at: now)
    }
}

/// The record, against what is here.
extension DayUpdate {
    private var stored: StoredDay? { known?.stored }
    private var isSameRecord: Bool { stored?.content == picture.content }
    var whole: [StoredFile] { good.filter { damaged[$0.sha256] == nil } }
    private var isHere: Bool { whole.contains { $0.role != .poster } }
    private var hadFiles: Bool { stored?.files.isEmpty == false || known?.state == .pruned }

    /// What of the day stays, whatever the record says.
    private var staying: [StoredFile] { picture.staying(of: (stored?.files ?? []).filter { !lost.contains($0) }) }
    /// What the day is to show.
    private var media: Media { picture.media(keeping: staying) }

    /// Nothing new, and no reason to look again at what was not good enough.
    private func isUnchanged(at now: Int) -> Bool {
        guard !isAgain, let known, good.count == stored?.files.count else { return false }
        if isRefused { return keepsToPauses }
        guard isSameRecord else { return false }
        return known.state == .mirrored || keepsToPauses && !RetryPolicy.isDue(known, at: now)
    }

    /// The first record of a new day that tells of another one: the day would have that one's name for ever.
    private func isOfAnotherDay(at now: Int) -> Bool {
        stored == nil && !picture.namesItsDay && RetryPolicy.hasJustBegun(picture.day, at: now)
    }

    /// Why the record says less than what is here; nil if it does not.
    private var lessThanHere: String? {
        guard let stored else { return nil }
        if !picture.namesItsDay { return "the upstream's record is one of another day" }
        let hasVideo = stored.files.contains { $0.role == .video || $0.role == .page }
        if hasVideo, !picture.hasPage { return "the upstream's record comes without the page that tells of the video" }
        if hadFiles, media == .none { return "NASA has no picture for it any more" }
        if !stored.title.isEmpty, picture.title.isEmpty { return "the upstream has no title for it any more" }
        if stored.hasText, picture.explanation.isEmpty { return "the upstream has no text for it any more" }
        return nil
    }

    /// Why the record is no correction; nil if it is one, or says what was said before. What has lost its files needs them.
    private var wordsForSeveralDays: String? {
        guard let twin, let stored, stored.files.isEmpty || !good.isEmpty, !isSameRecord,
            twin.explanation != picture.explanation
        else { return nil }
        return "the upstream has one title and text for several days, also for \(twin.day)"
    }

    private var wantedFiles: [WantedFile] {
        let staying = staying
        let wanted = WantedFile.wantedFiles(
            of: media, settings, having: whole, staying: isSameRecord ? whole : whole.filter(staying.contains),
            isDowngraded: known?.state == .downgraded && !staying.isEmpty)
        return wanted.map { wanted in
            var wanted = wanted
            wanted.damaged = Set(damaged.keys)
            // The one that is meant may be there by now.
            wanted.staying = wanted.staying.filter { [wanted] in !isSmall($0) || wanted.isWorse($0.address) }
            return wanted
        }
    }
}

/// What came, against what is here.
extension DayUpdate {
    /// Whether to wait and change nothing. A file that breaks off may be on its way to the upstream; one that always
    /// did is not waited for.
    private func mayPass(_ reason: FetchError) -> Bool {
        if case .cutShort = reason { return stored != nil }
        return !reason.isAbsence
    }

    /// Why what is here is better than what came; nil if it is not. What stays as it is is not worse than itself.
    private func worse(_ main: FileResult?) -> String? {
        guard let had = main?.had else { return main?.failure?.description }
        if let damage = damage(had) {
            return "only a damaged copy can be had now, at \(had.file.address): \(damage.why)"
        }
        let isLess = isWorse(had) && (known?.state != .downgraded || isSmaller(had.file))
        guard had.isNew, isLess || isTiny(had.file) || hasShrunk(had.file) else { return nil }
        return "only a worse copy can be had now, at \(had.file.address)"
    }

    private func damage(_ had: FileResult.Had) -> Catalog.DamagedPicture? { damaged[had.file.sha256] }

    private func isWorse(_ had: FileResult.Had) -> Bool { had.isWorse || isSmall(had.file) }

    /// A picture much smaller than a damaged one that the same record has brought is not the one that is meant.
    private func isSmall(_ file: StoredFile) -> Bool {
        guard isSameRecord, settings.pictures == .original, file.role == .picture, let pixels = file.pixels else {
            return false
        }
        return pixels < (damaged.values.compactMap(\.pixels).max() ?? 0) / 5 * 4
    }

    /// No correction makes a picture so much smaller than the one that is here: less than a twenty-fifth of its pixels.
    private func isTiny(_ file: StoredFile) -> Bool {
        guard settings.pictures == .original, file.role == .picture, let pixels = file.pixels else { return false }
        return pixels < pixelsHere / 25
    }

    /// The same address has brought a larger one, which is here. Of a video, only the bytes can be compared; it may just be
    /// better compressed.
    private func hasShrunk(_ file: StoredFile) -> Bool {
        guard let here = whole.first(where: { $0.role == file.role && $0.address == file.address })
        else { return false }
        if file.role == .video { return file.bytes < here.bytes / 2 }
        guard let pixels = file.pixels, let pixelsHere = here.pixels else { return false }
        return pixels < pixelsHere / 5 * 4
    }

    /// Than the picture that is here and is too small itself.
    private func isSmaller(_ file: StoredFile) -> Bool {
        isSmall(file) && file.pixels ?? 0 < pixelsHere
    }

    private var pixelsHere: Int { whole.first { $0.role == .picture }?.pixels ?? 0 }

    /// A day that is there stays as it is; one that is not, or not all of it, is remembered as wanting.
    private func fail(_ why: some CustomStringConvertible, isPassing: Bool, at now: Int) -> Conclusion {
        let isRemembered = !isHere || known?.state == .failed || !isPassing
        return .fail(
            why: why.description, isPassing: isPassing,
            isRemembered ? failed(why, isPassing: isPassing, at: now) : nil)
    }

    private func failed(_ why: some CustomStringConvertible, isPassing: Bool, at now: Int) -> DayStatus {
        var failed = DayStatus.failed(picture.day, after: known, why: why.description, isPassing: isPassing, at: now)
        if known?.state == .pruned { failed.state = .pruned }
        return failed
    }

    private func store(_ results: [FileResult], at now: Int) -> Conclusion {
        let isWorse = results.first { $0.wanted.isEssential }?.had.map(isWorse) ?? false
        let metadata = Metadata(
            name: stored?.name ?? FileName(day: picture.day, title: picture.title), picture: picture,
            files: results.compactMap(\.had?.file), downgraded: isWorse, fetched: now)
        return .store(
            metadata, status(results, isWorse, at: now),
            new: results.compactMap(\.had).filter(\.isNew).map(\.file),
            brings: stored == nil ? results.compactMap(\.arrived?.sha256) : [])
    }

    private func status(_ results: [FileResult], _ isWorse: Bool, at now: Int) -> DayStatus {
        let day = picture.day
        if let missed = results.first(where: \.isMissed)?.failure {
            return .failed(
                day, after: known, why: missed.description, isPassing: !missed.reason.isAbsence, at: now)
        }
        if let damage = results.lazy.compactMap(\.had).compactMap(damage).first {
            // It is all there is, and may never become another: not at every sync.
            var status = DayStatus.wanting(day, .failed, after: known, at: now)
            status.reason = damage.words
            status.stored = known?.stored
            return status
        }
        if !isWorse, media != .none {
            // What comes for a damaged one may be damaged, too. If so, that has been an attempt, and the pauses grow.
            let isTrial = !damaged.isEmpty && known?.attempts ?? 0 > 0 && results.contains { $0.arrived != nil }
            return isTrial ? .wanting(day, .mirrored, after: known, at: now) : DayStatus(day: day, state: .mirrored)
        }
        return .wanting(day, isWorse ? .downgraded : .placeholder, after: known, at: now)
    }
}

extension DayStatus {
    /// What wants something still wants it, but not at every sync; nil where nothing is wanted.
    func stillWanting(at now: Int) -> DayStatus? {
        state == .mirrored ? nil : later(at: now)
    }
}
