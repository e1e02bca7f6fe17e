package import Apod
internal import Configuration
internal import Files
import Glibc
internal import Syncing

/// Why the service has not done what it was asked for.
package enum ControlError: Error, Equatable, CustomStringConvertible {
    /// This user may not connect to the socket.
    case refused(socket: String)
    case silent
    /// The connection ended before the answer did.
    case gone
    case otherVersion
    case nonsense
    case cancelled
    /// The request makes no sense.
    case mistake(String)
    case failed(Failure)

    package var description: String {
        switch self {
        case .refused(let socket):
            Owners(of: socket).description
        case .silent:
            "the service that runs does not answer; is it suspended, or its disk very busy? See `apod-mirror status`"
        case .gone: "the service went away before it was done; the same command goes on from here"
        case .otherVersion:
            "the service that runs is of another version than this command: install both together and restart it"
        case .nonsense: "the service that runs says what this command does not understand; restart it"
        case .cancelled: RefreshError.cancelled.description
        case .mistake(let why): why
        case .failed(let failure): failure.words
        }
    }
}

/// Words for who may use a service's socket.
private struct Owners: CustomStringConvertible {
    let description: String

    init(of socket: String) {
        let folder = socket.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        guard let owner = FileOwner(of: socket) ?? FileOwner(of: folder) else {
            description = "only the mirror's owner, root and members of its group may ask the service to do that"
            return
        }
        let persons = owner.user == 0 ? "root" : "\(owner.name), root"
        if owner.isPerson {
            description = "only \(owner.name) and root may ask the service to do that"
            return
        }
        description = """
            only \(persons) and members of the group \(owner.groupName) may ask the service to do that
            """
    }
}
