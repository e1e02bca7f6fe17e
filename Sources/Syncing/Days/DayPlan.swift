internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Upstream

/// What is to be done about a day, from what is known of it and a record of it. Nothing is asked, read or written here.
struct DayPlan: Sendable {
    enum Why: Sendable {
        /// It is one of the newest days, or the answer has told of it, too.
        case recheck
        /// Something of it is missing.
        case due
        /// A person has named it.
        case asked
        /// Its files were found missing or damaged.
        case repair
    }

    enum Step: Sendable, Equatable {
        /// The upstream does not have the day yet.
        case notYet
        case nothing
        /// Its JSON is written, and nothing else.
        case texts
        case fetch([WantedFile])
    }

    let known: KnownDay
    let record: Picture
    let why: Why
    let settings: Settings
    let now: Int

    init(_ known: KnownDay, _ record: Picture, _ why: Why, _ settings: Settings, at now: Int) {
        (self.known, self.record, self.why, self.settings, self.now) = (known, record, why, settings, now)
    }

    /// The first that fits.
    var step: Step {
        guard let status = known.status, status.stored != nil else {
            let isOfAnotherDay = !record.namesItsDay && RetryPolicy.hasJustBegun(record.day, at: now)
            return isOfAnotherDay ? .notYet : .fetch(shown)
        }
        if status.state == .pruned { return why == .asked || why == .due ? .fetch(shown) : untouched }
        if why == .asked {
            return fetch(lacking + missing + shown.compactMap(again), else: isSame ? untouched : .texts)
        }
        let isPaused = why == .recheck && status.state != .mirrored && !RetryPolicy.isDue(status, at: now)
        if isPaused, isSame || isSetAside || known.kept?.incomplete?.awaited == record.content { return untouched }
        // All is here that was waited for.
        let settled = status.state == .failed ? .texts : untouched
        if isSetAside { return fetch(lacking, else: settled) }
        if isSame {
            // What is nowhere to be had is not missed by a day that has all else.
            let missing = status.state == .mirrored ? [] : missing
            return fetch(lacking + missing + questions, else: settled)
        }
        return fetch(missing + questions, else: .texts)
    }

    private func fetch(_ files: [WantedFile], else step: Step) -> Step {
        var roles: Set<StoredFile.Role> = []
        // One for each role: what is lacking and shown is both.
        let files = files.reversed().filter { roles.insert($0.role).inserted }
        return files.isEmpty ? step : .fetch(files.reversed())
    }

    private var untouched: Step { known.isJSONWhole ? .nothing : .texts }
}

/// The record, against what is here.
extension DayPlan {
    var isSame: Bool { known.stored?.content == record.content }

    /// Also where its texts are new: its files are those that a person did not want.
    private var isSetAside: Bool { known.setAside.contains(record.content) }

    /// `recheck-days` have not passed since the day.
    var isRecent: Bool { record.day >= NewYork.day(at: now).advanced(by: -settings.recheckDays) }

    /// All that the record shows.
    var shown: [WantedFile] {
        WantedFile.files(of: record.media, settings, hasVideo: known.whole.contains { $0.role == .video })
    }

    /// Those that the day does not have. No still is wanted where it has an original picture, no worse copy where it has a
    /// good one, and nothing that a person has set aside.
    private var missing: [WantedFile] {
        shown.filter { atHand($0) == nil }.compactMap { wanted in
            if wanted.role == .poster, known.whole.contains(where: \.isOriginalPicture) { return nil }
            var wanted = wanted
            if let here = here(wanted.role) {
                wanted.addresses = Array(wanted.addresses.prefix { $0 != here.address })
                let isGood = !here.address.isRendition && known.kept?.downgraded != true
                if isGood { wanted.addresses = wanted.addresses.prefix(wanted.good).filter { !$0.isRendition } }
            }
            return wanted.addresses.isEmpty ? nil : wanted
        }
    }

    /// What its JSON names and is not there, where that came from.
    private var lacking: [WantedFile] {
        known.lacking.map { WantedFile(role: $0.role, kind: $0.type.kind, addresses: [$0.address]) }
    }

    /// Whether the server has another by now is asked of those from which something is known.
    private var questions: [WantedFile] {
        guard why != .repair && isRecent || known.status?.state == .failed else { return [] }
        return shown.compactMap(again).filter { $0.known != nil }
    }

    private func again(_ wanted: WantedFile) -> WantedFile? {
        guard let file = atHand(wanted), file.role != .page, !file.address.isRendition else { return nil }
        return WantedFile(role: wanted.role, kind: wanted.kind, addresses: [file.address], known: file.validators)
    }

    /// The file that is here from one of the good addresses.
    func atHand(_ wanted: WantedFile) -> StoredFile? {
        known.whole.first { $0.type.kind == wanted.kind && isGood($0, for: wanted) }
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
