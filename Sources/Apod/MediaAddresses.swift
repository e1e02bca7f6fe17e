/// NASA's media under a mirror's own address, at the same paths: so a mirror fetches from a mirror.
///
/// A record that is served has its media's addresses led to the server. A mirror leads them back before it stores the
/// record, so that records are equal along a chain of mirrors.
package enum MediaAddresses {
    private static let places = [
        (origin: "https://assets.science.nasa.gov", path: "/content/dam/"),
        (origin: "https://assets.science.nasa.gov", path: "/dynamicimage/"),
        (origin: "https://apod.nasa.gov", path: "/apod/image/"),
        (origin: "https://img.youtube.com", path: "/vi/"),
    ]

    /// The header by which a mirror's answers tell that they lead media to it.
    package static let mark = "x-apod-mirror"

    package static func led(to origin: String, _ text: ArraySlice<UInt8>) -> [UInt8] {
        replaced(in: text, places.map { ($0.origin + $0.path, origin + $0.path) })
    }

    package static func ledBack(from origin: String, _ text: ArraySlice<UInt8>) -> [UInt8] {
        replaced(in: text, places.map { (origin + $0.path, $0.origin + $0.path) })
    }

    /// The address on another mirror; nil for what mirrors do not serve.
    package static func led(to origin: String, _ address: WebAddress) -> WebAddress? {
        guard let place = places.first(where: { address.description.hasPrefix($0.origin + $0.path) }) else {
            return nil
        }
        return WebAddress(origin + address.description.dropFirst(place.origin.utf8.count))
    }

    /// Also replaces what is written with JSON's `\/`.
    private static func replaced(in text: ArraySlice<UInt8>, _ pairs: [(from: String, to: String)]) -> [UInt8] {
        let slash = { (text: String) in text.replacing("/", with: "\\/") }
        let all = (pairs + pairs.map { (slash($0.from), slash($0.to)) }).map {
            ($0.from.bytes, $0.to.bytes)
        }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var start = text.startIndex
        var place = start
        while let next = text[place...].firstIndex(of: "h") {
            let rest = text[next...]
            guard let (from, to) = all.first(where: { rest.starts(with: $0.0) }) else {
                place = next + 1
                continue
            }
            result += text[start..<next]
            result += to
            place = next + from.count
            start = place
        }
        return result + text[start...]
    }
}
