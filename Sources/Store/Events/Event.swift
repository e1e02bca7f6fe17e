package import Apod

/// What happened, from where it happens to whoever listens: the command that asked, the status, and the journal or the
/// terminal, which show its `JournalEntry`.
package enum Event: Sendable, Equatable, Codable {
    package enum Making: String, Sendable, Codable { case made, removed }

    /// How many days to ask for, or how many pictures of another list.
    case planned(Int, of: ListName? = nil)
    /// Days that the tree has, and the catalog lacked.
    case rediscovered(days: Int)
    case mirrored(Key, title: String, state: Item.State, bytes: Int)
    /// The former file is kept (`Versions`).
    case replaced(Key, isMuchSmaller: Bool)
    case unchanged(Key)
    /// The upstream has no record of the day any more.
    case kept(Day, why: String)
    case absent(Day)
    case notYet(Key)
    /// `isPassing`: a retry may succeed.
    case failed(Key, why: Problem, isPassing: Bool)
    /// A question about these days had no answer. `days`: how many of them are to fetch.
    case unanswered(ClosedRange<Day>, days: Int, why: Problem)
    case noted(String)
    /// A list itself did not come to its end.
    case listFailed(ListName, why: Problem)

    /// Begins a refresh, or continues one that has not ended. `named`: days asked for by date.
    case refreshBegan(named: Set<Day>)
    /// The bytes of files that have come since `refreshBegan`.
    case received(Int)
    /// Why an answer is late; nil once it has come or is given up.
    case delayed(Problem?)
    /// The failure is what ended the refresh early.
    case refreshEnded(Problem?)
    /// `count`: how many pictures get thumbnails.
    case thumbnailsBegan(count: Int)
    case thumbnail(Thumbnail)
    /// A favorite's link was made or removed. `link`: its path below the favorites folder.
    case changed(Making, Key, link: String?)
    case said(String)
    /// Something could not be done.
    case complained(String)

    /// The service is up and keeps this folder; it goes on with new settings of it, or with the same as before.
    case ready(root: String)
    case reloaded(root: String?)
    case settingsRefused(String)
    case stopping
    /// Why the mirror cannot be opened.
    case waiting(Problem)
    /// Work of the service failed, and is tried again. `asks`: it asks servers. `pause`: in seconds.
    case workFailed(String, why: Problem, asks: Bool, pause: Int)
    case trouble(String, Problem)
    case refreshed(newest: Day)
    case backfilling(String)
    /// `oldest`: that was asked for.
    case backfilled(oldest: Day?)
    /// Pictures were deleted or, with a failure, could not be.
    case deleted(String, day: Day?, why: Problem?)
    /// A deletion waits for a person.
    case held(String)
    case withoutCopy(Day, String)
    /// Somebody, by a user's number unless by the web, asks for a job.
    case asked(String, by: Int?, isAllowed: Bool)

    case watching(WatchState, folder: String)
    /// More than a few links went together.
    case linksWent(LinkLoss, folder: String)
    /// After the failure of a look at the favorites.
    case recovered(folder: String)
    /// The favorites can be relied on.
    case favoritesKnown
    /// No link is waiting to end any more, and the list of favorites is written.
    case favoritesSettled
}

package typealias EventHandler = @Sendable (Event) -> Void

extension Event: CustomStringConvertible {
    package var description: String {
        switch self {
        case .planned(let count, let list):
            return "\(list.map { "\($0): \(Picture.count(count))" } ?? Day.count(count)) to fetch"
        case .rediscovered(let days): return "found in the folder: \(Day.count(days))"
        case .mirrored(let key, let title, let state, let bytes):
            // Where the files are here already, nothing but the text has come.
            let size = bytes > 0 ? Size.text(bytes) : state == .placeholder ? nil : "only its text is new"
            let note = state == .downgraded ? "a worse copy for now" : state == .placeholder ? "text only" : nil
            let front = key.list.map { "\($0):" } ?? "\(key)"
            return "\(front) \(Text.brief(title)) (\([size, note].compactMap(\.self).joined(separator: ", ")))"
        case .replaced(let key, let isMuchSmaller):
            let note = isMuchSmaller ? ", a much smaller one" : ""
            guard let day = key.day else {
                return "\(Self.name(key)) has another picture\(note); the former one is kept"
            }
            return """
                \(day) has another picture or video\(note); \
                `apod-mirror revert \(day)` brings the former one back
                """
        case .unchanged(let key): return "\(key) is as it was"
        case .kept(let day, let why): return "\(day) stays as it is: \(why)"
        case .absent(let day): return "NASA has no picture for \(day)"
        case .notYet(let key): return "\(key) is not published yet"
        case .failed(let key, let why, _): return "\(Self.name(key)) failed: \(why)"
        case .unanswered(let days, let count, let why):
            let (first, last) = (days.lowerBound, days.upperBound)
            if count == 0, first == last { return "a second look at \(first) failed: \(why)" }
            let what = count == 0 ? "a second look at the days" : Day.count(count)
            return "\(what) from \(first) to \(last) failed: \(why)"
        case .noted(let words), .said(let words), .complained(let words): return words
        case .listFailed(let list, let why): return "\(list): \(why)"
        case .ready(let root): return "ready; the pictures are in \(Text.shown(root))"
        case .reloaded(let root):
            return root.map { "new settings for \(Text.shown($0))" } ?? "the settings are the same as before"
        case .settingsRefused(let words): return "\(words); the settings stay as they are"
        case .stopping: return "stopping"
        case .waiting(let why): return "waiting: \(why.words)"
        case .workFailed(_, let why, _, _) where why.code == .full:
            return "\(why.words); the service goes on when there is room"
        case .workFailed(let part, let why, _, _): return "\(part): \(why.words); tried again soon"
        case .trouble(let what, let why): return "\(what)\(why)"
        case .refreshed(let newest): return "asked for new days; the newest day is \(newest)"
        case .backfilled(let oldest): return "all days were asked for\(oldest.map { ", back to \($0)" } ?? "")"
        case .backfilling(let words), .deleted(let words, _, _), .held(let words), .asked(let words, _, _): return words
        case .withoutCopy(let day, let words): return "\(day): \(words)"
        case .watching(.inotify, let folder): return "watching \(folder)"
        case .watching(.polling(let why), let folder): return "looking into \(folder) from time to time: \(why.words)"
        case .watching(.lost(let why), _): return "no favorites folder: \(why.words)"
        case .linksWent(let loss, let folder):
            let restore = "`apod-mirror favorites restore --since \(loss.since)`"
            return "\(loss.count) links went from \(folder); \(restore) brings them back"
        case .recovered(let folder): return "\(folder) is kept up with again"
        case .refreshBegan, .received, .delayed, .refreshEnded, .thumbnailsBegan, .thumbnail, .changed, .favoritesKnown,
            .favoritesSettled:
            return ""
        }
    }

    private static func name(_ key: Key) -> String {
        key.list.map { "\($0): \(Text.brief(key.front))" } ?? "\(key)"
    }
}
