package import Archive
internal import Fetching
package import Files
package import Upstream

/// What ends a refresh before its work is done.
package enum RefreshError: Error, CustomStringConvertible {
    case archive(ArchiveError)
    case disk(DiskError)
    /// Several questions in a row had no answer.
    case upstreamSilent(UpstreamError)
    /// Several files in a row could not be had.
    case filesSilent(String)
    case cancelled

    package var isFull: Bool {
        switch self {
        case .archive(let error): error.isFull
        case .disk(let error): error.isFull
        case .upstreamSilent, .filesSilent, .cancelled: false
        }
    }

    /// In seconds: how soon room on a full disk is noticed. Nobody else is asked for that.
    static let pauseWhileFull = 60

    package var description: String {
        switch self {
        case .archive(let error) where error.isFull: "\(error); make room, then sync again"
        case .disk(let error) where error.isFull: "\(error); make room, then sync again"
        case .archive(let error): error.description
        case .disk(let error): error.description
        case .upstreamSilent(let error): "the upstream does not answer, try again later: \(error)"
        case .filesSilent(let why): "pictures cannot be had at the moment, try again later: \(why)"
        case .cancelled: "stopped; the same command goes on from here"
        }
    }
}

extension RefreshError {
    /// Ends the refresh if the failure is none of the upstream's.
    static func check(_ failure: FetchFailure) throws(RefreshError) {
        switch failure.reason {
        case .cancelled: throw .cancelled
        case .disk(let error): throw .disk(error)
        default: return
        }
    }
}
