import Glibc

/// Why something could not be done, as a code with its data: thrown, stored, sent and compared as that. `words` alone makes
/// a sentence of it, in whatever process shows it; `Problem+Kinds` says what its code means to those who catch it.
package struct Problem: Error, Hashable, Sendable, JSONCodable {
    /// The cause. `detail` and `number` are what the comment says.
    package enum Code: String, Sendable, CaseIterable {
        /// A file of the day was missing when the catalog was rebuilt.
        case missing

        // At `address`:

        /// No connection can be made. Detail: why, in libcurl's words.
        case unreachable
        /// The server answers with an error. Number: the status, such as 404 or 503. Detail: the seconds of a pause that
        /// it asks for.
        case refused
        /// The connection broke off. Detail: why, in libcurl's words.
        case transfer
        /// Nothing came. Number: for how many seconds.
        case stalled
        /// The disk is not full, but has no room for the file. Number: its bytes.
        case room
        /// The file came incomplete. Detail: how that shows.
        case broken
        /// The file that can be had does not decode. Detail: why, in the decoder's words.
        case undecodable
        /// The file that can be had could not be decoded for another reason. Detail: which.
        case unseen
        /// The file is larger than `max-file`. Number: that.
        case large
        /// The answer is of another type than asked for. Detail: which.
        case unfit
        /// The server leads elsewhere, which is not followed. Detail: where.
        case redirect
        /// The address is not on the public internet. Detail: its host.
        case forbidden
        /// The server answers with something else than records. Number: the status, if that is why. Detail: with what.
        case records
        /// The same, and it will not do so soon. Detail: with what.
        case record
        /// The mirror that is asked does not have the day itself.
        case elsewhere
        /// Several files in a row could not be fetched. Detail: the code of the last failure. Number: its number.
        case files

        // On a disk, at `path`:

        /// The disk is full. Number: the bytes that the mirror leaves free.
        case full
        /// A step on the file or folder failed. Detail: the step, like “write in”. Number: the errno(3).
        case folder
        /// The same, where only this month, year or list cannot be changed.
        case barred
        /// A person has changed the file at `path`, which stays as it is.
        case edited
        /// Another thing is there now than the one that was opened.
        case moved
        /// SQLite refused a statement on the catalog. Detail: why. Number: the errno(3) of a full or read-only disk.
        case catalog
        /// The catalog is to be made again from the files. Detail: why. Number: EBADMSG where it is damaged.
        case unusable
        /// There is no mirror any more.
        case away
        /// No permission to look into the folder.
        case hidden
        /// The mirror belongs to another user. Detail: who.
        case foreign
        /// No permission to write, where the mirror is to be. Detail and number: as of `folder`.
        case closed
        /// Another process writes in the mirror. Detail: which.
        case used
        /// The root is inside another mirror. Detail: that.
        case inside
        /// No mirror is begun among other things. Detail: one of them.
        case occupied
        /// The folder of the catalog is on a network file system. Detail: of which kind.
        case network
        /// The catalog beside this file, which says so, is another mirror's. Detail: this mirror's root.
        case shared
        /// There is no favorites folder.
        case folderMissing = "folder-missing"
        /// A file or a link is in the place of the favorites folder.
        case folderTaken = "folder-taken"
        /// The favorites are on a network file system, which tells of no changes. Detail: of which kind.
        case remote
        /// The system's limit is reached; the path is its sysctl(8) name.
        case limit

        // In the service:

        /// The work was stopped on request.
        case stopped
        /// The mirror is opened again.
        case reopening
        /// The clock shows a day before this program was made.
        case clock
        /// The service takes no jobs now.
        case busy
        /// Whoever asks may not ask for that. Detail: the mirror's owner, unless that is root.
        case forbiddenJob = "forbidden-job"
        /// The web asks for a day that is not here.
        case notHere = "not-here"
        /// What was asked is no request.
        case nonsense

        // Between a command and the service:

        /// This user may not connect to the socket at `path`. Detail: who may.
        case closedSocket = "closed-socket"
        /// The service does not answer.
        case silent
        /// The connection ended before the answer did.
        case gone
        /// Command and service are of different versions.
        case otherVersion = "other-version"
        /// The answer is none.
        case gibberish

        /// Detail: what there is to say.
        case other
    }

    package let code: Code
    package let detail: String?
    package let address: WebAddress?
    package let path: String?
    package let number: Int?

    package init(
        _ code: Code, _ detail: String? = nil, at address: WebAddress? = nil, path: String? = nil, number: Int? = nil
    ) {
        (self.code, self.detail, self.address, self.path, self.number) = (code, detail, address, path, number)
    }

    /// The failure without what differs from day to day. Those with one cause are told together.
    package var cause: Problem {
        switch code {
        case .full: Problem(.full)
        case .other: self
        default: Problem(code, at: address.flatMap { WebAddress($0.origin) }, path: path, number: number)
        }
    }
}

extension Problem: CustomStringConvertible {
    /// With the whole address.
    package var description: String { address.map { "\(reason): \(Text.brief("\($0)"))" } ?? reason }

    /// With the server alone: an address makes a row wider than a terminal.
    package var words: String { address.map { "\($0.host): \(reason)" } ?? reason }

    /// Without a server.
    package var reason: String {
        switch code {
        case .missing: "a file is missing, and is fetched again"
        case .unreachable: "cannot be reached" + (detail.map { " (\($0))" } ?? "")
        case .refused where number == 404: "not there (404)"
        case .refused:
            "the server answered \(number.map(String.init) ?? "with an error")"
                + (detail.map { " and asks for a pause of \($0) s" } ?? "")
        case .transfer: detail ?? "the connection broke off"
        case .stalled: "nothing, or next to nothing, came for \(number ?? 0) s"
        case .room: "no room on the disk for its \(size)"
        case .broken: "came incomplete\(colonDetail)"
        case .undecodable: "what can be had now cannot be decoded\(colonDetail)"
        case .unseen: "what can be had now could not be looked at\(colonDetail)"
        case .large: "larger than `max-file` allows (\(size))"
        case .unfit: "of another type than asked for\(colonDetail)"
        case .redirect: "redirect refused\(colonDetail)"
        case .forbidden: "\(detail ?? "the server") is not on the public internet; nothing was fetched from it"
        case .records where number == 404: "no records are at this address (404)"
        case .records, .record: "the answer is of no use\(colonDetail)"
        case .elsewhere: "the mirror there does not have this day"
        case .files: "pictures cannot be had at the moment: \(lastReason)"
        default: localReason
        }
    }

    private var localReason: String {
        let place = Text.shown(path ?? "the mirror")
        return switch code {
        case .full: "no space left on the disk of \(place), of which the mirror keeps \(size) free"
        case .folder, .barred, .closed:
            "cannot \(detail ?? "use") \(place)"
                + (number.map { ": \(Self.words(forErrno: Int32(clamping: $0)))" } ?? "")
        case .edited: "\(place) is not as the mirror stored it: somebody has changed it, and it stays"
        case .moved:
            """
            \(place) is not what it was any more: it was moved, deleted, or something was mounted over it; run the same \
            command again when it is back; a service goes on by itself
            """
        case .catalog: "the catalog \(place)\(colonDetail)"
        case .unusable:
            "the catalog \(place)\(colonDetail); the service or the next sync sets it aside and makes a new one from the files"
        case .away: "\(place) has no mirror in it any more"
        case .hidden: "cannot look into \(place): \(Self.words(forErrno: EACCES))"
        case .foreign: "\(place) belongs to \(Text.shown(detail ?? "another user"))"
        case .used:
            "\(place) is in use by \(Text.shown(detail ?? "another command")); wait until it has finished, or stop it"
        case .inside: "\(place) is inside the mirror in \(Text.shown(detail ?? "")): set `root` to that"
        case .occupied:
            """
            there is no mirror in \(place), but there are other things, like “\(Text.shown(detail ?? ""))”; set `root` to \
            the mirror's own folder, like \(place)/APOD
            """
        case .network:
            """
            \(place) is on a network file system (\(detail ?? "unknown")), where the catalog is not safe; set `state` to \
            a folder on a disk of this machine
            """
        case .shared:
            """
            the catalog beside \(place) is another mirror's than the one in \(Text.shown(detail ?? "the root")): set `state` to \
            another folder. If it is this mirror's, copied or restored there, delete \(place)
            """
        case .folderMissing:
            """
            \(place) is missing; all favorites stay; put the folder back, or `apod-mirror favorites restore` makes it \
            again with its links
            """
        case .folderTaken:
            """
            \(place) is a file or a link, not a folder; all favorites stay; rename or delete it, then put the folder \
            back, or `apod-mirror favorites restore` makes it again with its links
            """
        case .remote: "\(place) is on a network file system (\(detail ?? "unknown"))"
        case .limit: "the system's limit \(path ?? "") is reached"
        default: wordsOfService
        }
    }

    private var wordsOfService: String {
        switch code {
        case .stopped: "stopped; the same command goes on from here"
        case .reopening:
            "the service opens \(Text.shown(path ?? "the mirror")) again; run the same command again in a moment"
        case .clock: "the clock is not set: it shows a day before this program was made"
        case .busy: "the service takes no commands at the moment: try again, and see `apod-mirror status`"
        case .forbiddenJob:
            """
            only \(detail.map { "the mirror's owner, \($0), and root" } ?? "root") may ask the service for that: run the \
            same command with sudo. Members of its group may change favorites, make thumbnails, and sync days that they \
            name (DATE, or --since with --until, at most a year), without settings
            """
        case .notHere: "that day is not here"
        case .nonsense: "that is no request"
        case .closedSocket: "only \(detail ?? "the mirror's owner") may ask the service to do that"
        case .silent:
            "the service that runs does not answer; is it suspended, or its disk very busy? See `apod-mirror status`"
        case .gone: "the service went away before it was done; the same command goes on from here"
        case .otherVersion:
            "the service that runs is of another version than this command: install both together and restart it"
        case .gibberish: "the service that runs says what this command does not understand; restart it"
        default: detail ?? ""
        }
    }

    private var colonDetail: String { detail.map { ": \($0)" } ?? "" }
    private var size: String { Size.text(number ?? 0) }

    private var lastReason: String { Problem(detail.flatMap(Code.init) ?? .other, number: number).reason }

    private static func words(forErrno code: Int32) -> String {
        switch code {
        case ENOSPC: "no space left on this disk"
        case EDQUOT: "your disk quota is used up"
        case EAGAIN: "another program has it"
        case ETIMEDOUT: "the disk does not answer"
        case EXDEV: "it is on another disk"
        case ELOOP: "it is a symbolic link where none may be"
        default: String(cString: strerror(code))
        }
    }
}

extension Problem {
    package var json: JSON { .sparse(members) }

    /// With its words as `reason`, for people and programs that show it.
    package var members: [(String, JSON?)] {
        [
            ("code", .string(code.rawValue)), ("detail", detail.map(JSON.string)),
            ("address", address.map { .string("\($0)") }), ("path", path.map(JSON.string)),
            ("number", number.map(JSON.integer)), ("reason", .string(reason)),
        ]
    }

    /// What another version calls otherwise is `other`, with its words.
    package init?(_ json: JSONText) {
        guard let members = json.members, let name = members["code"]?.string else { return nil }
        let code = Code(rawValue: name)
        self.init(
            code ?? .other, members[code == nil ? "reason" : "detail"]?.string,
            at: members["address"]?.string.flatMap { WebAddress($0) }, path: members["path"]?.string,
            number: members["number"]?.integer)
    }
}
