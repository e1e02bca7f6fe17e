package import Apod
package import Files

/// Why something could not be fetched.
package struct FetchFailure: Error, CustomStringConvertible {
    package let address: WebAddress
    package let reason: FetchError

    package init(_ address: WebAddress, _ reason: FetchError) {
        self.address = address
        self.reason = reason
    }

    package var description: String { failure.description }

    package var failure: Failure {
        if case .disk(let error) = reason { return error.failure }
        return Failure(reason.code, Text.brief(reason.description), at: address)
    }
}

package enum FetchError: Error, Equatable {
    case status(Int, retryAfter: Int?)
    /// Not sent, because the host has just refused other requests with this status. `for`: what is left of the pause;
    /// nil if too long to wait for.
    case leftAlone(after: Int, for: Duration?)
    /// The connection broke off, in libcurl's words.
    case connection(String)
    /// No connection could be made, and why.
    case unreachable(String)
    case stalled(seconds: Int)
    case tooLarge(limit: Int)
    case wrongType(String, wanted: MediaType.Kind)
    case cutShort(String)
    /// The disk is not full, but has no room for this file.
    case noRoom(bytes: Int)
    case redirectRefused(String)
    case forbiddenHost(String)
    case disk(StorageError)
    case cancelled

    /// Whether asking again soon would fail the same way.
    package var isPermanent: Bool {
        switch self {
        // With Retry-After, 403 means “not now”.
        case .status(403, .some): false
        case .status(let status, _): !(status == 408 || status == 425 || status == 429 || status >= 500)
        case .leftAlone, .connection, .unreachable, .stalled, .cutShort: false
        case .tooLarge, .wrongType, .noRoom, .redirectRefused, .forbiddenHost, .disk, .cancelled: true
        }
    }

    /// Whether this address has nothing usable, so that another is worth trying.
    package var isAbsence: Bool {
        switch self {
        case .status, .wrongType, .tooLarge, .redirectRefused, .forbiddenHost: isPermanent
        case .cutShort: true
        case .leftAlone, .connection, .unreachable, .stalled, .noRoom, .disk, .cancelled: false
        }
    }
}

extension FetchError {
    fileprivate var code: Failure.Code {
        switch self {
        case .status, .leftAlone: .refused
        case .unreachable: .unreachable
        case .connection, .stalled, .noRoom: .transfer
        case .cutShort: .broken
        case .tooLarge: .large
        case .wrongType, .redirectRefused, .forbiddenHost: .unfit
        case .disk: .folder
        case .cancelled: .stopped
        }
    }
}

extension FetchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .status(404, _): "not there (404)"
        case .status(let status, let wait?): "the server answered \(status) and asks for a pause of \(wait) s"
        case .status(let status, nil), .leftAlone(let status, _): "the server answered \(status)"
        case .connection(let words): words
        case .unreachable(let why): "cannot be reached (\(why))"
        case .stalled(let seconds): "nothing, or next to nothing, came for \(seconds) s"
        case .tooLarge(let limit): "larger than `max-file` allows (\(Size.text(limit)))"
        case .wrongType(let found, .image): "expected a picture, got \(found)"
        case .wrongType(let found, let wanted): "expected a \(wanted.rawValue), got \(found)"
        case .cutShort(let why): "came incomplete: \(why)"
        case .noRoom(let bytes): "no room on the disk for its \(Size.text(bytes))"
        case .redirectRefused(let why): "redirect refused: \(why)"
        case .forbiddenHost(let host): "\(host) is not on the public internet; nothing was fetched from it"
        case .disk(let error): error.description
        case .cancelled: "stopped"
        }
    }
}
