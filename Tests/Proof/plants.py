"""Faults to plant in a copy of the program, each of which its part must find: (name, file, old text, new text)."""
PLANTS = {
    "requests": [
        ("of favorites, everything is public", "Sources/Serving/PublishedTree.swift",
         "return favorites.has(Array(parts.dropFirst().joined(separator: [slash])))", "return true"),
        ("a range lacks its last byte", "Sources/HTTP/Delivery.swift", ".part(first..<(last < size ? last + 1 : size))",
         ".part(first..<(last < size ? max(last, first + 1) : size))"),
        ("the web may ask for the status", "Sources/Control/Asker.swift", "case (.status, .owner), (.status, .member), (.job, .owner): true",
         "case (.status, _), (.job, .owner): true"),
        ("an escaped NUL is a name", "Sources/HTTP/Request.swift", "return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)",
         "return String(validating: bytes, as: UTF8.self)"),
        ("a page of another server changes favorites", "Sources/Serving/Hearts.swift",
         '(request.headers["origin"] ?? request.origin) == request.origin', "true"),
    ],
    "transfers": [
        ("a document has no limit", "Sources/Fetching/ResponseReceiver.swift", "if status == 200, length > limit {",
         "if status == 200, length > 1000 * limit {"),
        ("three redirects at most", "Sources/Fetching/Redirects.swift", "private static let most = 5", "private static let most = 3"),
        ("the JSON of before is not kept", "Sources/Archive/Publishing/FormerFiles.swift", "let keepsJSON = try keepsJSON(ready, in: month)",
         "let keepsJSON = try keepsJSON(ready, in: month) && false"),
    ],
    "pictures": [
        ("half a picture will do", "Sources/apod-thumbnailer/Decoder.swift", "if Self.isTruncated { return .refused(Self.reason) }", ""),
        ("the picture stays open", "Sources/apod-thumbnailer/Main.swift", "            close(descriptor)\n", ""),
        ("a copy of any size", "Sources/apod-thumbnailer/Decoder.swift", "wanted_size(width: Int32(size.width), height: Int32(size.height),",
         "wanted_size(width: Int32(size.width) * 2, height: Int32(size.height) * 2,"),
    ],
}
