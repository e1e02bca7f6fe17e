import Apod

/// A video on YouTube, recognised by any of its addresses.
struct YouTube {
    private let id: Substring

    private static let hosts: Set<String> = [
        "youtube.com", "www.youtube.com", "m.youtube.com", "youtube-nocookie.com", "www.youtube-nocookie.com",
    ]
    /// The words in an id's place in the address of a playlist or a live stream.
    private static let notIDs: Set<Substring> = ["videoseries", "live_stream"]

    init?(_ address: WebAddress) {
        let parts = address.path.split(separator: "/")
        let queried = address.query?.split(separator: "&").first { $0.hasPrefix("v=") }?.dropFirst(2)
        let found: Substring?
        if address.host == "youtu.be" {
            found = parts.first
        } else if Self.hosts.contains(String(address.host)) {
            found = parts.first == "watch" ? queried : parts.dropFirst().first
        } else {
            found = nil
        }
        guard let id = found, Self.isID(id) else { return nil }
        self.id = id
    }

    private static func isID(_ id: Substring) -> Bool {
        6...20 ~= id.utf8.count && !notIDs.contains(id)
            && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    var still: WebAddress? { WebAddress("https://img.youtube.com/vi/\(id)/hqdefault.jpg") }
}
