import Apod
import Files
import HTTP
import Synchronization

extension Response {
    /// An answer that is made here. Its tag is that of its content.
    static func made(
        _ bytes: [UInt8], _ type: String, _ headers: Pairs = []
    ) -> Response {
        Response(
            type: type, body: .bytes(bytes), entityTag: String("\(Digest(of: bytes))".prefix(32)), headers: headers)
    }
}

/// Answers that were made, until the mirror changes.
final class MadeAnswers: Sendable {
    private struct Kept {
        var number = 0
        var bytes = 0
        var answers: [String: Response] = [:]
    }

    private let kept = Mutex(Kept())
    private static let most = 4 << 20
    private static let largest = 1 << 20

    func answer(to key: String, in state: Int) -> Response? {
        kept.withLock { kept in
            if kept.number != state { kept = Kept(number: state) }
            return kept.answers[key]
        }
    }

    /// The answer that is kept for a state of the mirror, or `make`'s.
    func answer(to key: String, in state: Int, make: () -> Response) -> Response {
        if let known = answer(to: key, in: state) { return known }
        var answer = make()
        guard answer.caching == .minutes, case .bytes(let bytes) = answer.body, bytes.count <= Self.largest else {
            return answer
        }
        answer.kept = KeptMessage()
        kept.withLock { kept in
            guard kept.number == state else { return }
            // A key may be as long as an address; libmicrohttpd has a copy.
            let cost = 2 * bytes.count + key.utf8.count + 1024
            if kept.bytes + cost > Self.most { kept = Kept(number: state) }
            kept.bytes += cost
            kept.answers[key] = answer
        }
        return answer
    }
}
