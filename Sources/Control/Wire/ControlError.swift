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
    case failed(Problem)

    package var description: String {
        switch self {
        case .refused(let socket): "only \(Self.owners(of: socket)) may ask the service to do that"
        case .silent:
            "the service that runs does not answer; is it suspended, or its disk very busy? See `apod-mirror status`"
        case .gone: "the service went away before it was done; the same command goes on from here"
        case .otherVersion:
            "the service that runs is of another version than this command: install both together and restart it"
        case .nonsense: "the service that runs says what this command does not understand; restart it"
        case .cancelled: Problem(.stopped).words
        case .mistake(let why): why
        case .failed(let failure): failure.words
        }
    }

    /// Who may use a service's socket.
    private static func owners(of socket: String) -> String {
        let folder = socket.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        guard let owner = FileOwner(of: socket) ?? FileOwner(of: folder) else {
            return "the mirror's owner, root and members of its group"
        }
        if owner.isPerson { return "\(owner.name) and root" }
        return "\(owner.user == 0 ? "root" : "\(owner.name), root") and members of the group \(owner.groupName)"
    }
}
