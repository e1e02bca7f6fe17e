package import Apod
import Files

extension Picture {
    /// A digest of what a record says, without what changes and means nothing: links to the days beside it, and the queries
    /// of files' addresses, such as signatures.
    package var content: Digest {
        let fields: [JSON] = [
            .string(title), .string(explanation), .optional(credit), .optional(copyright), .optional(alt),
            .optional(permalink?.description), .string(media.summary),
        ]
        // Most days have none, and keep the digest that JSON files name.
        let more = further.map { JSON.string("\($0.isRollover) \($0.alt ?? "") \(Media.summary(of: $0.source))") }
        let ofItem = item.map { [$0.date, $0.licence, $0.isCopyrighted.map { "\($0)" }].map(JSON.optional) } ?? []
        return Digest(of: JSON.array(fields + more + ofItem).compact)
    }
}

extension Media {
    fileprivate var summary: String {
        switch self {
        case .image(let source): "image \(Self.summary(of: source))"
        case .video(let address, let poster): "video \(address.front) \(Self.summary(of: poster))"
        case .embedded(let address, let poster): "embedded \(address) \(Self.summary(of: poster))"
        case .none: ""
        }
    }

    fileprivate static func summary(of source: Source?) -> String {
        guard let source else { return "" }
        return source.addresses.map(\.front).joined(separator: " ")
            + " \(source.width ?? 0)x\(source.height ?? 0)"
    }
}

extension WebAddress {
    /// The address without its query, as text.
    fileprivate var front: String { "\(origin)\(path)" }
}
