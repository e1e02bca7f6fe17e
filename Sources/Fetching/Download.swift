package import Apod
package import Files

/// One file to be fetched.
package struct Download: Sendable {
    package let key: Key
    package let address: WebAddress
    package let kind: MediaType.Kind
    package let limit: Int
    /// Validators of the copy that is here: the file is fetched only if the server has another one.
    package let known: Validators?
    /// The time of the file, in seconds since 1970.
    let published: Int
    /// Whether another mirror's file is as good.
    let isShared: Bool
    /// What another mirror's file has to be; nil: what it says itself.
    let digest: Digest?

    package init(
        key: Key, address: WebAddress, kind: MediaType.Kind, limit: Int, known: Validators? = nil, published: Int,
        isShared: Bool = false, digest: Digest? = nil
    ) {
        self.key = key
        self.published = published
        self.address = address
        self.kind = kind
        self.limit = limit
        self.known = known
        (self.isShared, self.digest) = (isShared, digest)
    }

    /// The same on another mirror; nil for what mirrors do not serve.
    func led(to origin: String) -> Download? {
        MediaAddresses.led(to: origin, address).map {
            Download(key: key, address: $0, kind: kind, limit: limit, published: published, digest: digest)
        }
    }

    var condition: [String] { known?.condition ?? [] }

    /// The unfinished file's name. Only one task uses it, since an item is fetched once at a time.
    var partialName: String {
        "\(key.mark) \(Digest(of: address.description.bytes).description.prefix(16))"
    }

    func accepts(contentType: String) -> Bool {
        let neutral = ["", "application/octet-stream", "binary/octet-stream"]
        return contentType.hasPrefix(kind.rawValue + "/") || neutral.contains(contentType)
            || kind == .video && contentType == "application/mp4"
    }
}

extension Validators {
    /// The header field of a conditional request (RFC 9110, 13.1).
    var condition: [String] {
        [etag.map { "If-None-Match: \($0)" } ?? modified.map { "If-Modified-Since: \($0)" }].compactMap(\.self)
    }
}

/// A file that is whole, checked and on the disk, and only lacks its final name.
package struct Fetched: Sendable {
    package let address: WebAddress
    package let staged: Staged
    package let facts: MediaFacts
    package let validators: Validators?
    /// Whether another mirror gave it.
    package var isOfNeighbour = false
}
