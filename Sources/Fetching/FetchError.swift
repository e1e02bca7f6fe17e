import Apod
import Files

/// Why an attempt failed. `Fetcher` throws the `Problem` that it is.
enum FetchError: Error, Equatable {
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
    case wrongType(String)
    case cutShort(String)
    /// The disk is not full, but has no room for this file.
    case noRoom(bytes: Int)
    case redirectRefused(String)
    case forbiddenHost(String)
    case disk(Problem)
    case cancelled

    /// Whether asking again soon would fail the same way.
    var isPermanent: Bool {
        switch self {
        // With Retry-After, 403 means “not now”.
        case .status(403, .some): false
        case .status(let status, _): !(status == 408 || status == 425 || status == 429 || status >= 500)
        case .leftAlone, .connection, .unreachable, .stalled, .cutShort: false
        case .tooLarge, .wrongType, .noRoom, .redirectRefused, .forbiddenHost, .disk, .cancelled: true
        }
    }

}

extension FetchError {
    func problem(at address: WebAddress) -> Problem {
        if case .disk(let problem) = self { return problem }
        let (code, detail, number): (Problem.Code, String?, Int?) =
            switch self {
            case .status(let status, let pause): (.refused, pause.map(String.init), status)
            case .leftAlone(let status, _): (.refused, nil, status)
            case .connection(let words): (.transfer, words, nil)
            case .unreachable(let why): (.unreachable, why, nil)
            case .stalled(let seconds): (.stalled, nil, seconds)
            case .tooLarge(let limit): (.large, nil, limit)
            case .wrongType(let found): (.unfit, found, nil)
            case .cutShort(let why): (.broken, why, nil)
            case .noRoom(let bytes): (.room, nil, bytes)
            case .redirectRefused(let why): (.redirect, why, nil)
            case .forbiddenHost(let host): (.forbidden, host, nil)
            case .disk, .cancelled: (.stopped, nil, nil)
            }
        return Problem(code, detail.map(Text.brief), at: address, number: number)
    }
}
