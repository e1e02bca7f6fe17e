import Apod

/// Videos on YouTube, recognised by any of their addresses.
extension WebAddress {
    private static let hosts: Set<Substring> = [
        "youtu.be", "youtube.com", "www.youtube.com", "m.youtube.com", "youtube-nocookie.com",
        "www.youtube-nocookie.com",
    ]
    /// The words in an id's place in the address of a playlist or a live stream.
    private static let notIDs: Set<Substring> = ["videoseries", "live_stream"]

    /// The still of a video on YouTube; nil for any other address.
    var youTubeStill: WebAddress? {
        guard Self.hosts.contains(host) else { return nil }
        let parts = path.split(separator: "/")
        let queried = query?.split(separator: "&").first { $0.hasPrefix("v=") }?.dropFirst(2)
        let id = host == "youtu.be" ? parts.first : parts.first == "watch" ? queried : parts.dropFirst().first
        guard let id, Self.isID(id) else { return nil }
        return WebAddress("https://img.youtube.com/vi/\(id)/hqdefault.jpg")
    }

    private static func isID(_ id: Substring) -> Bool {
        6...20 ~= id.utf8.count && !notIDs.contains(id)
            && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }
}
