import CMicrohttpd
import Glibc

/// How much of a response is sent: what conditions and a range ask for (RFC 9110, 13.2.2 and 14.2).
package enum Delivery: Equatable, Sendable {
    case whole
    case part(Range<Int>)
    case unchanged
    case notSatisfiable

    package init(of response: Response, to request: Request) {
        guard response.status == 200, [.get, .head].contains(request.method) else {
            self = .whole
            return
        }
        let tag = response.entityTag.map { "\"\($0)\"" }
        if let wanted = request.headers["if-none-match"] {
            if Self.lists(wanted, tag) {
                self = .unchanged
                return
            }
        } else if let since = request.headers["if-modified-since"].flatMap(HTTPDate.seconds),
            let modified = response.modified, modified <= since
        {
            self = .unchanged
            return
        }
        guard request.method == .get, let range = request.headers["range"], let count = response.count,
            request.headers["if-range"].map({ Self.isSame($0, tag, response.modified) }) ?? true
        else {
            self = .whole
            return
        }
        self = Self.part(range, of: count)
    }

    /// Compared weakly (RFC 9110, 8.8.3.2): a proxy that compresses makes a tag weak.
    private static func lists(_ list: String, _ tag: String?) -> Bool {
        list.withoutSpace.split(separator: ",").contains { entry in
            entry == "*" || (entry.hasPrefix("W/") ? entry.dropFirst(2) : entry) == tag.map { $0[...] }
        }
    }

    private static func isSame(_ condition: String, _ tag: String?, _ modified: Int?) -> Bool {
        condition == tag || modified != nil && HTTPDate.seconds(condition) == modified
    }

    /// Of several ranges, the whole is sent; so it is for what is no range of bytes.
    private static func part(_ text: String, of size: Int) -> Delivery {
        guard text.hasPrefix("bytes=") else { return .whole }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map(\.withoutSpace)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else { return .whole }
        // A number that is too large for Int is behind every end.
        let (first, last) = (Int(bounds[0]) ?? .max, Int(bounds[1]) ?? .max)
        if bounds[0].isEmpty {
            if bounds[1].isEmpty { return .whole }
            return last == 0 || size == 0 ? .notSatisfiable : .part(max(0, size - min(last, size))..<size)
        }
        if last < first { return .whole }
        return first < size ? .part(first..<(last < size ? last + 1 : size)) : .notSatisfiable
    }
}

extension StringProtocol {
    /// None of our tags or numbers has a space.
    fileprivate var withoutSpace: String { String(filter { $0 != " " && $0 != "\t" }) }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
package enum HTTPDate {
    package static func text(_ seconds: Int) -> String {
        var (moment, parts) = (time_t(seconds), tm())
        gmtime_r(&moment, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            buffer[0] = 0
            strftime(buffer.baseAddress!, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: buffer.baseAddress!)
        }
    }

    package static func seconds(_ text: String) -> Int? {
        let moment = http_date(text)
        return moment < 0 ? nil : moment
    }
}
