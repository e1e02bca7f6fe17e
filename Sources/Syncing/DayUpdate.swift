internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Fetching
internal import Thumbnails
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
    private(set) var comparison: Comparison?

    /// What is to be known before what came takes the place of what is here.
    struct Comparison: Sendable {
        /// Other days that have the same.
        var others: [Digest: Day] = [:]
        /// What decoding has shown of the pictures, the new ones and those that are here.
        var findings: [Digest: PictureCheck.Finding] = [:]
    }

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
        /// The new ones take the place of good files: first, it is to be known whether they can be decoded, and those that
        /// are here, and what other days have.
        case compare(new: [StoredFile], here: [StoredFile])
        case keep(why: String, DayStatus?)
        case fail(why: String, isPassing: Bool, DayStatus?)
        /// The refresh ends or, if only a month is closed, goes on with others.
        case stop(RefreshError, DayStatus?)
        /// What was to stay is lost: the day becomes what its record shows.
        case planAgain(DayUpdate)
    }

    func conclusion(from results: [FileResult], at now: Int) -> Conclusion {
        if let error = results.compactMap(\.failure).compactMap(RefreshError.init).first { return .stop(error, nil) }
        let results = results.map { $0.substituted(from: good) }
        let main = results.first { $0.wanted.isEssential }
        if let failure = main?.failure, mayPass(failure.reason) { return fail(failure, isPassing: true, at: now) }
        let replacing = results.compactMap { $0.replacing(good) }
        if comparison == nil, !replacing.isEmpty {
            return .compare(new: replacing, here: replacing.contains(where: \.isImage) ? good.filter(\.isImage) : [])
        }
        if isHere, let why = worse(main) { return .keep(why: why, known?.stillWanting(at: now)) }
        if main?.had.map({ damage($0) != nil }) ?? true {
            var update = self
            (update.lost, update.comparison) = (staying, nil)
            if update.lost.contains(where: { $0.role != .poster }) { return .planAgain(update) }
        }
        if main?.had == nil, let failure = main?.failure, hadFiles { return fail(failure, isPassing: false, at: now) }
        // Whoever asks again may learn it.
        if let why = replacing.lazy.compactMap(delay).first { return fail(why, isPassing: true, at: now) }
        if let why = replacing.lazy.filter({ $0.role != .poster }).compactMap(doubt).first {
            return .keep(why: why, known?.stillWanting(at: now))
        }
        return store(results.map(withoutWorsePoster), at: now)
    }

    /// `findings`: of what is here, too.
    func comparing(_ comparison: Comparison) -> DayUpdate {
        var update = self
        update.comparison = comparison
        for file in good {
            guard case .damaged(let why)? = comparison.findings[file.sha256] else { continue }
            update.damaged[file.sha256] =
                damaged[file.sha256]
                ?? .init(why: why, pixels: file.role == .picture ? file.pixels : nil)
        }
        return update
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
    var isSameRecord: Bool { stored?.content == picture.content }
    var whole: [StoredFile] { good.filter { damaged[$0.sha256] == nil } }
    var isHere: Bool { whole.contains { $0.role != .poster } }
    var hadFiles: Bool { stored?.files.isEmpty == false || known?.state == .pruned }

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
            of: media, settings, having: whole,
            staying: isSameRecord ? whole : staying.filter { file in whole.contains { $0.sha256 == file.sha256 } },
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
        guard had.isNew, isLess || isTiny(had.file) || hasShrunk(had.file) || isLessThanPromised(had.file) else {
            return nil
        }
        return "only a worse copy can be had now, at \(had.file.address)"
    }

    private func damage(_ had: FileResult.Had) -> Catalog.DamagedPicture? { damaged[had.file.sha256] }

    /// Why what came is not to take the place of what is here, however large it is; nil if nothing is known against it.
    private func doubt(_ file: StoredFile) -> String? {
        if let other = comparison?.others[file.sha256] {
            return "the upstream sends one \(file.role.rawValue) for several days, also for \(other)"
        }
        let riddle: String? =
            switch comparison?.findings[file.sha256] {
            case .damaged(let why): why
            case .unknown(let why): isNoBetterKnown(file.role) ? nil : why
            case .whole, .unanswered, nil: nil
            }
        return riddle.map { "what can be had now, at \(file.address), cannot be decoded: \($0)" }
    }

    /// Why nobody can say yet whether what came can be decoded; nil if somebody has.
    private func delay(_ file: StoredFile) -> String? {
        guard case .unanswered(let why)? = comparison?.findings[file.sha256] else { return nil }
        return "what can be had now, at \(file.address), could not be looked at: \(why)"
    }

    /// No more can be said of the one that is here, or only that it is damaged.
    private func isNoBetterKnown(_ role: StoredFile.Role) -> Bool {
        guard let here = good.first(where: { $0.isImage && $0.role == role }) else { return false }
        if case .unknown? = comparison?.findings[here.sha256] { return true }
        return damaged[here.sha256] != nil
    }

    /// The poster that is here stays where what came is worse; the rest may be a correction.
    private func withoutWorsePoster(_ result: FileResult) -> FileResult {
        guard result.wanted.role == .poster, let file = result.had?.file else { return result }
        if damaged[file.sha256] != nil { return result.keeping(whole) }
        guard hasShrunk(file) || isTiny(file) || doubt(file) != nil else { return result }
        if case .damaged? = comparison?.findings[file.sha256] { return result.keeping(good) }
        return result.keeping(whole)
    }

    private func isWorse(_ had: FileResult.Had) -> Bool { had.isWorse || isSmall(had.file) }

    /// A picture much smaller than a damaged one that the same record has brought is not the one that is meant.
    private func isSmall(_ file: StoredFile) -> Bool {
        guard isSameRecord, settings.pictures == .original, file.role == .picture, let pixels = pixelCount(of: file)
        else {
            return false
        }
        return pixels < (damaged.values.compactMap(\.pixels).max() ?? 0) / 5 * 4
    }

    /// No correction brings so much less than what is here: a twenty-fifth.
    private func isTiny(_ file: StoredFile) -> Bool {
        switch file.role {
        case .picture, .poster:
            guard let pixels = pixelCount(of: file) else { return false }
            let isBare = file.role == .picture && imageHere == nil && whole.contains { $0.role == .video }
            let here = isBare ? Self.pixelsOfVideo : pixelsHere
            return pixels < asked(of: here) / 25
        case .video: return file.bytes < (whole.first { $0.role == .video }?.bytes ?? 0) / 25
        case .page: return false
        }
    }

    /// The same address has brought a larger one, which is here. Of a video, only the bytes can be compared; it may just be
    /// better compressed.
    private func hasShrunk(_ file: StoredFile) -> Bool {
        guard let here = whole.first(where: { $0.role == file.role && $0.address == file.address })
        else { return false }
        if file.role == .video { return file.bytes < here.bytes / 2 }
        guard let pixels = pixelCount(of: file), let pixelsHere = pixelCount(of: here) else { return false }
        return pixels < pixelsHere / 5 * 4
    }

    /// A picture that is not on the day's page was asked for since its address promised as many pixels as are here.
    private func isLessThanPromised(_ file: StoredFile) -> Bool {
        guard !picture.isOnPage, file.role == .picture, imageHere?.role == .picture,
            let pixels = pixelCount(of: file)
        else { return false }
        return pixels < asked(of: pixelsHere) / 5 * 4
    }

    /// Than the picture that is here and is too small itself.
    private func isSmaller(_ file: StoredFile) -> Bool {
        isSmall(file) && pixelCount(of: file) ?? 0 < pixelsHere
    }

    private var imageHere: StoredFile? { whole.first(where: \.isImage) }
    private var pixelsHere: Int { imageHere.flatMap(pixelCount) ?? 0 }

    /// No video that is here without a poster is taken to show less.
    private static let pixelsOfVideo = 640 * 360

    /// What is made for screens can have so few, however large what is here is.
    private static let pixelsOnScreen = 1_000_000

    /// Of so many pixels, those that the settings want.
    private func asked(of pixels: Int) -> Int {
        settings.pictures == .original ? pixels : min(pixels, Self.pixelsOnScreen)
    }

    /// What decoding has shown, before what the picture says of itself.
    private func pixelCount(of file: StoredFile) -> Int? {
        if case .whole(let pixels?)? = comparison?.findings[file.sha256] { pixels } else { file.pixels }
    }

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
