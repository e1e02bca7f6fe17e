import Apod
import Fetching
import Files
import Store
import Thumbnails
import Upstream

/// What came of asking for a file.
struct Arrival: Sendable {
    let wanted: WantedFile
    /// nil: the server's file is the one that is here.
    let result: Result<StoredFile?, Problem>
    /// The file itself, if it has just come.
    var staged: Staged?
    /// Whether it decodes; nil if not checked, as it replaces nothing.
    var judgement: PictureCheck.Judgement?

    var file: StoredFile? { if case .success(let file) = result { file } else { nil } }
    var failure: Problem? { if case .failure(let failure) = result { failure } else { nil } }
}

/// What becomes of an item: what to report, to record and to publish. Decided from its plan and what came; it does no I/O.
struct Outcome: Sendable {
    let event: Event
    /// What to record. With a document, its `stored` is set when the JSON is written.
    var item: Item?
    /// nil: the JSON stays as it is.
    var document: Document?
    /// The record in it.
    var record: Picture?
    /// The files that came and are to be published.
    var new: [StoredFile] = []
    /// The files that give way to others, and are kept.
    var replaced: [StoredFile] = []

    /// Reports a replaced file, unless it is a page made here.
    var notice: Event? {
        guard let document, let old = replaced.first(where: { $0.role != .page }) else { return nil }
        let new = document.files.first { $0.role == old.role } ?? document.files.main
        return .replaced(document.key, isMuchSmaller: new?.isMuchSmaller(than: old) ?? false)
    }
}

extension Plan {
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

    private typealias Loss = (why: Problem, isPassing: Bool)

    private enum Verdict {
        case stays
        case publish(StoredFile)
        /// The same bytes are here already.
        case drop(StoredFile)
        /// The question whether the server has another file had no answer.
        case unanswered(Problem)
        case lost(Loss)
    }

    /// Judges what came. The first row that fits counts.
    private func verdict(_ came: Arrival) -> Verdict {
        let here = known.whole.first { file in
            file.role.number == came.wanted.role.number && came.wanted.addresses.contains(where: file.isFrom)
        }
        switch came.result {
        case .success(nil): return .stays
        case .failure(let failure) where mayPass(failure):
            // What waits already goes on waiting.
            let isQuestion = came.wanted.known != nil || why == .recheck && here?.isOfNeighbour == true
            return isQuestion && known.item?.state != .failed ? .unanswered(failure) : .lost((failure, true))
        case .failure(let failure): return here == nil ? .lost((failure, false)) : .stays
        case .success(let file?):
            if isHere(file) { return .drop(file) }
            if why != .asked, known.setAside.contains(file.sha256) {
                let isLacking = known.lacking.contains { $0.role.number == file.role.number }
                guard var here else { return isLacking ? .lost((Problem(.missing), false)) : .stays }
                // It is not asked for again until the server has a third one.
                here.validators = file.validators
                return .drop(here)
            }
            switch came.judgement {
            case .refused(let why): return .lost((Problem(.undecodable, Text.brief(why), at: file.address), true))
            case .unanswered(let why): return .lost((Problem(.unseen, Text.brief(why), at: file.address), true))
            case .whole, nil: return .publish(file)
            }
        }
    }

    /// A file that is cut short may still be uploading; a new item does not wait for it.
    private func mayPass(_ failure: Problem) -> Bool {
        failure.code == .broken ? known.stored != nil : !failure.isAbsence
    }

    /// Decides what becomes of the item. Throws only what ends the refresh.
    func outcome(_ came: [Arrival] = []) throws -> Outcome {
        if let failure = came.compactMap(\.failure).first(where: { !$0.isOfNetwork }) { throw failure }
        switch step {
        case .notYet: return Outcome(event: .notYet(record.key))
        case .nothing: return Outcome(event: .unchanged(record.key), item: postponed)
        case .texts, .fetch: break
        }
        var (found, new): ([StoredFile.Role: StoredFile], [StoredFile]) = ([:], [])
        var (loss, mainLoss, silence): (Loss?, Loss?, Problem?)
        for came in came {
            switch verdict(came) {
            case .stays: continue
            case .drop(let file): found[came.wanted.role] = file
            case .publish(let file):
                found[came.wanted.role] = file
                new.append(file)
            case .unanswered(let why): silence = silence ?? why
            case .lost(let why):
                if came.wanted.isEssential, why.isPassing, came.wanted.known == nil { return waiting(why.why) }
                loss = loss ?? why
                if came.wanted.isEssential, !why.isPassing { mainLoss = why }
            }
        }
        // An item of a list is its picture: without one, there is nothing to keep.
        if record.item != nil, let mainLoss, known.files.isEmpty {
            return failed(mainLoss.why, isPassing: mainLoss.isPassing)
        }
        let first = known.files.filter { !$0.role.isFurther }
        let files = (mainLoss != nil && !first.isEmpty ? first : arranged(first, found)) + furtherFiles(found)
        let kept = new.filter { file in files.contains { $0.sha256 == file.sha256 } }
        do throws(Problem) { return try stored(files, new: kept, loss, silence) } catch {
            return failed(error, isPassing: false)
        }
    }

    private var postponed: Item? {
        guard let item = known.item, why != .recheck || Item.isDue(item, at: now) else { return nil }
        return item.state == .pruned ? nil : item.postponed(at: now)
    }
}

extension Plan {
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
        let shown = Dictionary(numbered.map { ($0.number, $0.picture) }) { first, _ in first }
        return FileName.furtherNumbers.compactMap { number in
            let here = known.files.first { $0.role.number == number }
            guard var file = found[.also(number)] ?? here else { return nil }
            guard let picture = shown[number] else {
                file.isFormer = file.isFormer || record.media != .none
                return file
            }
            // Where another picture could not be had, the file keeps its own words and marks.
            if found[.also(number)] != nil || picture.source.addresses.contains(where: file.isFrom) {
                (file.alt, file.isRollover, file.isFormer) = (picture.alt, picture.isRollover, false)
            }
            return file
        }
    }

    private func isLacking(_ file: StoredFile) -> Bool { known.lacking.contains { $0.sha256 == file.sha256 } }

    private func stored(
        _ files: [StoredFile], new: [StoredFile], _ loss: Loss?, _ silence: Problem?
    ) throws(Problem) -> Outcome {
        let isDeleted = known.item?.state == .pruned && files.isEmpty
        // Where only a mark goes, or a lost file is back, the feed must not tell of a change.
        let isBack = new.allSatisfy { file in known.files.contains { $0.sha256 == file.sha256 } }
        var mirror = known.mirror ?? MirrorPart(fetched: now)
        if !isSame || !isBack { (mirror.fetched, mirror.number) = (now, nil) }
        (mirror.isDowngraded, mirror.isPruned) = (isDowngraded(files), isDeleted)
        mirror.incomplete = isDeleted ? nil : loss.map { Incomplete($0.why) }
        if why == .asked { mirror.setAside = [] }
        if let entry = known.item?.entry { (mirror.came, mirror.place) = (entry.came, entry.place) }
        let document = try Document(record, as: known.stored?.name ?? record.name, files: files, mirror)
        var item = item(of: document, loss)
        let failed = loss.map { Event.failed(record.key, why: $0.why, isPassing: $0.isPassing) }
        let unanswered = silence.flatMap { why in record.day.map { Event.unanswered($0...$0, days: 0, why: why) } }
        let unchanged = failed ?? unanswered ?? .unchanged(record.key)
        if isDeleted {
            // Only this JSON remembers what was deleted: it is not replaced.
            if known.isJSONWhole {
                (item.state, item.stored) = (.pruned, known.stored)
                return Outcome(event: unchanged, item: item)
            }
            item = Item(record.key, .pruned)
        }
        if isNothingNew(document, new) { return self.unchanged(files, item, event: unchanged) }
        let came = Event.mirrored(
            record.key, title: record.title, state: item.state ?? .mirrored, bytes: new.reduce(0) { $0 + $1.bytes })
        let replaced = known.whole.filter { old in !files.contains { $0.sha256 == old.sha256 } }
        return Outcome(
            event: failed ?? came, item: item, document: document, record: record, new: new, replaced: replaced)
    }

    /// A file from another address was brought back (`revert`), and is no worse copy.
    private func isDowngraded(_ files: [StoredFile]) -> Bool {
        guard let main = shown.first(where: \.isEssential) else { return known.mirror?.isDowngraded ?? false }
        return files.main.map { !isGood($0, for: main) && main.addresses.contains(where: $0.isFrom) } ?? false
    }

    private func item(of document: Document, _ loss: Loss?) -> Item {
        if let loss {
            return .failed(record.key, after: known.item, why: loss.why, isPassing: loss.isPassing, at: now)
        }
        let state: Item.State =
            document.mirror.isDowngraded ? .downgraded : document.files.isEmpty ? .placeholder : .mirrored
        let isWhole = state == .mirrored && !record.isStandIn && document.lacks(record) == 0
        if isWhole { return Item(record.key, state) }
        return .wanting(record.key, state, after: record.isStandIn ? nil : known.item, at: now)
    }

    /// The JSON stays: the files differ only in what it does not tell.
    private func unchanged(_ files: [StoredFile], _ item: Item, event: Event) -> Outcome {
        var item = item
        item.stored = known.stored
        item.stored?.files = files
        let isAsBefore = item.stored == known.stored && !item.isOwing && known.item?.state == .mirrored
        return Outcome(event: event, item: isAsBefore ? nil : item)
    }

    /// Whether the JSON that is here says the same.
    private func isNothingNew(_ document: Document, _ new: [StoredFile]) -> Bool {
        let isBack = known.item?.state == .pruned && !document.files.isEmpty
        guard new.isEmpty, isSame, known.isJSONWhole, !isBack, let before = known.document else { return false }
        // The catalog returns the files in another order.
        func told(_ files: [StoredFile]) -> [StoredFile] {
            files.map(\.told).sorted { $0.ending < $1.ending }
        }
        var (then, now) = (before.mirror, document.mirror)
        // Why it lacks something may differ each time; the list's order does, with each new item.
        guard (then.incomplete == nil) == (now.incomplete == nil) else { return false }
        (then.incomplete, then.came, then.place) = (now.incomplete, now.came, now.place)
        return told(known.files) == told(document.files) && then == now
    }

    /// Keeps the item as it is, and marks it as incomplete. What a person asks for is set aside no more.
    private func waiting(_ why: Problem) -> Outcome {
        var outcome = failed(why, isPassing: true)
        guard var document = known.document else { return outcome }
        let awaited = isSame && !isAwaited ? nil : record.content
        if known.item?.state != .pruned, document.mirror.incomplete.map({ $0.awaited == awaited }) != true {
            document.mirror.incomplete = Incomplete(why, awaited: awaited)
        } else if !endsSetAside {
            return outcome
        }
        if endsSetAside { document.mirror.setAside = [] }
        document.borrowValidators { file in known.files.first { $0.sha256 == file.sha256 } }
        (outcome.document, outcome.record) = (try? document.rewritten(), known.record)
        return outcome
    }

    /// Records a failure, and changes nothing else.
    private func failed(_ why: Problem, isPassing: Bool) -> Outcome {
        var item = Item.failed(record.key, after: known.item, why: why, isPassing: isPassing, at: now)
        if known.item?.state == .pruned { item.state = .pruned }
        return Outcome(event: .failed(record.key, why: why, isPassing: isPassing), item: item)
    }

    /// Decides what becomes of a refused item. Throws what would stop others, too.
    func outcome(refused refusal: Problem) throws -> Outcome {
        if refusal.isGeneral { throw refusal }
        return failed(refusal, isPassing: false)
    }
}
