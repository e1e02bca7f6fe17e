import Apod
import Favorites
import Files
import Glibc
import Service
import Store
import Syncing
import Thumbnails

/// The words for each condition. `Remedy` says what to do about it.
extension Condition {
    /// Conditions with the same heading are listed together.
    var heading: String {
        switch self {
        case .waiting: "the service waits"
        case .settings: "settings refused"
        case .trouble: "trouble"
        case .unfinished: "last failure"
        case .noThumbnailer:
            "no smaller copies, and nothing new in the folder \(Tree.frame): apod-thumbnailer is not installed"
        case .folderLost: "no favorites folder"
        case .polling: "the folder \(Tree.favorites) is looked into from time to time"
        case .ended(let loss): "\(loss.count) links went from \(Tree.favorites) on \(loss.since.local)"
        case .held(let hold): "to be deleted: \(hold.extent), by \(hold.settings)"
        case .outOfReach(let limit, let total):
            "\(Size.text(total)) are more than max-total (\(Size.text(limit))), and too little may be deleted"
        case .damaged(let files):
            "\(files.count == 1 ? "1 file" : "\(files.count) files") damaged or missing, found \(files.found.local)"
        case .failed, .incomplete: "could not be fetched"
        case .listSilent: "lists that do not come"
        case .pending: "favorites without a picture"
        case .unwritable: "not put in order in \(Tree.favorites)"
        case .undecodable: "no thumbnails can be made of"
        case .edited: "to be deleted, but changed by somebody"
        case .nameTaken: "not the mirror's, and in its way"
        case .unrecognised: "left alone in \(Tree.favorites)"
        case .replaced: "replaced lately"
        }
    }

    /// The lines below the heading, each in rows; none if the heading says it all.
    func lines(in root: String) -> [String] {
        switch self {
        case .noThumbnailer, .ended, .held, .outOfReach, .damaged: []
        case .settings(let words): [words]
        case .polling(let failure), .waiting(let failure), .folderLost(let failure): [failure.told(in: root, "\n")]
        case .trouble(let parts, let failure, let retry):
            ["\(parts.names): \(failure.words); \(Self.next(retry))" + failure.advice(in: root, after: "\n")]
        case .unfinished(let last): ["\(last.at.local): \(last.failure.told(in: root, "\n"))"]
        case .failed(let days, let failure), .incomplete(let days, let failure):
            [Self.line(days, failure) + failure.advice(in: root, after: "\n")]
        case .listSilent(let list, let since, let failure): ["\(list), since \(since.local): \(failure.words)"]
        case .pending(let pending): [Text.shown("\(pending.key): \(pending.words)")]
        case .unwritable(let album, let number):
            [
                Problem(
                    "change links in", Tree.favoritesPath(in: root) + (album.isEmpty ? "" : "/\(album)"),
                    code: Int32(clamping: number)
                ).told(in: root, "\n")
            ]
        case .undecodable(let day, let why): [Text.shown("\(day)  \(why)")]
        case .edited(let paths), .nameTaken(let paths): [Text.names(paths)]
        case .unrecognised(let place, let why): ["\(Text.shown("\(place)")): \(why.words(for: place))"]
        case .replaced(let day, _, let role, _, let isMuchSmaller):
            ["\(day): NASA has another \(Self.word(for: role))\(isMuchSmaller ? ", a much smaller one" : "")"]
        }
    }

    /// What people call a file of that role.
    private static func word(for role: String) -> String {
        switch role {
        case StoredFile.Role.poster.word: "still"
        case StoredFile.Role.further: "second picture"
        default: role
        }
    }

    /// Says when the work is tried again. After `retry`, more attempts follow.
    private static func next(_ retry: Moment) -> String {
        retry.seconds > time(nil) ? "again at \(retry.local)" : "it is tried again"
    }

    /// Says that no refresh has succeeded for two days, as far as these conditions explain it: one is due each day, and
    /// after a long sleep the service is about to.
    static func outage(_ conditions: [Condition], lastRefresh: Int?) -> String? {
        guard conditions.contains(where: \.isOutage) else { return nil }
        guard let lastRefresh else { return "no refresh has succeeded yet" }
        return lastRefresh < time(nil) - 2 * 86_400 ? "no refresh has succeeded since \(Time.local(lastRefresh))" : nil
    }

    private static let mostNamed = 6

    /// A line for days with the same failure, with its server. `status --json` has the whole addresses.
    private static func line(_ days: [Day], _ failure: Problem) -> String {
        guard let newest = days.first, let oldest = days.last else { return Text.shown(failure.words) }
        let isWhole = days.count > mostNamed && days.count > oldest.distance(to: newest)
        let names = isWhole ? "\(days.count) days from \(oldest) to \(newest)" : Day.names(days, atMost: mostNamed)
        return Text.shown("\(names)  \(failure.words)")
    }

    /// Whether no thumbnails are made until this condition is over.
    var blocksThumbnails: Bool {
        switch self {
        case .noThumbnailer: true
        case .trouble(let parts, let failure, _): parts.contains(.thumbnails) || failure.code == .full
        case .unfinished(let last): last.failure.code == .full
        default: false
        }
    }
}

extension UnrecognisedReason {
    func words(for place: Place) -> String {
        switch self {
        case .file: Remedy.ofCopy(place) ?? "not one of the mirror's pictures"
        case .undecided: "still to be compared with the mirror's pictures"
        case .temporary: "a temporary file"
        case .hidden: "hidden"
        case .hiddenFolder: "a hidden folder"
        case .special: "neither a file nor a link"
        case .outside: "a link out of the mirror, or to nothing"
        case .unlike: "a link that leads nowhere, and no picture is called so"
        case .noDay: "a link to a date that is no day of APOD's"
        case .toCome: "a link to a day that has not come yet"
        case .linkToFolder: "a link to a folder"
        case .linkToOther: "a link to something that is no file"
        case .linkToFile: "a link to a file that is not one of the mirror's pictures"
        case .tooDeep: "a folder that is too deep to be looked into"
        case .mounted: "something is mounted there, and it is not read"
        }
    }
}
