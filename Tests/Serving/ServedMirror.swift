import Apod
import Files
import Gallery
import HTTP
import Serving
import Store
import TestSupport
import Testing
import Upstream

/// A mirror of a few days, and its site.
final class ServedMirror {
    let folder: TemporaryFolder
    let root: String
    let archive: Archive
    let site: Site

    static let read: RecordReader = { record, _ in try? Picture(record: record) }

    /// With ordinary days, published.
    convenience init(_ first: String, _ others: String...) async throws {
        try self.init()
        for date in [first] + others { try await add(date) }
        try publish()
    }

    init() throws {
        folder = try TemporaryFolder()
        let root = folder.appending("APOD")
        self.root = root
        archive = try Archive(root: root, read: Self.read)
        site = Site(root: root, decoder: Places.built("apod-thumbnailer")) { day("2026-11-20").noon }
    }

    struct Part {
        let role: StoredFile.Role
        let type: MediaType
        let address: String
        var bytes: [UInt8] = "some bytes".bytes
    }

    /// A day with the files that its record names.
    func add(_ record: String, _ parts: [Part], state: Item.State = .mirrored) async throws {
        try await add(JSONText(record.bytes), parts, state: state)
    }

    func add(_ record: JSONText, _ parts: [Part], state: Item.State = .mirrored) async throws {
        let picture = try Picture(record: record)
        let files = try parts.map { part in
            StoredFile(
                role: part.role, type: part.type, address: try #require(WebAddress(part.address)),
                bytes: part.bytes.count, sha256: Digest(of: part.bytes))
        }
        let staged = try zip(parts, files).map { part, file in
            try (
                file.ending,
                Staged(part.bytes, in: archive.tree.unfinished, as: "\(picture.key)\(file.ending)", modified: 1)
            )
        }
        let document = try Document(
            picture, as: picture.name, files: files, MirrorPart(fetched: picture.key.noon ?? 0))
        try await archive.add(
            StagedDay(
                document, picture, staged: Dictionary(uniqueKeysWithValues: staged),
                item: Item(picture.key, state)))
    }

    /// An ordinary day, with a JPEG.
    func add(_ date: String, _ title: String = "Orion Rising") async throws {
        try await add(Self.record(date, title), [Self.jpeg(date)])
    }

    static func jpeg(_ date: String) -> Part {
        Part(role: .picture, type: .jpeg, address: address(date), bytes: "picture of \(date)".bytes)
    }

    static func address(_ date: String) -> String {
        "https://assets.science.nasa.gov/content/dam/science/cds/apod/apod/\(date.prefix(4))/month/Pic%20\(date).jpg"
    }

    static func record(_ date: String, _ title: String) -> String {
        let hdurl = address(date).replacing("/content/dam/", with: "/dynamicimage/assets/").replacing("/", with: "\\/")
        return """
            {"date":"\(date)","title":"\(title)","media_type":"image","explanation":"Why does <b>it</b> shine?",\
            "credit":"Anna & Bert","copyright":"<b> Image Credit & Copyright: </b> Anna & Bert",\
            "permalink":"https://science.nasa.gov/image-article/apod-\(date)/","hdurl":"\(hdurl)?w=0&h=0",\
            "basic_html":"<center>\(date)<br><a href='https://apod.nasa.gov/apod/image/2611/x.jpg'></a></center>"}
            """
    }

    /// A file that somebody else put there.
    func put(_ text: String, _ path: String) throws {
        let file = try Folder.open(root).makeFile(path)
        try file.append(text.bytes)
    }

    func publish() throws {
        try Gallery(archive) { text, _ in LinkedText(text) }.write()
    }

    func answer(
        _ target: String, _ method: String = "GET", headers: [String: String] = [:], origin: String = "http://nas:8095"
    ) throws -> HTTP.Response {
        let parts = target.split(separator: "?", maxSplits: 1)
        let pairs = parts.count < 2 ? [] : parts[1].split(separator: "&")
        let query = pairs.map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(sides[0]), value: sides.count > 1 ? String(sides[1]) : "")
        }
        return site.answer(
            try HTTP.Request(method, String(parts[0]), query: query, headers: headers, origin: origin))
    }

    /// Of a slow answer, what is made in the end.
    func made(
        _ target: String, _ method: String = "GET", headers: [String: String] = [:]
    ) throws -> HTTP.Response {
        let answer = try answer(target, method, headers: headers)
        guard case .later(let make) = answer.body else {
            #expect(answer.status >= 400)
            return answer
        }
        return make()
    }

    func status(_ target: String) throws -> Int { try answer(target).status }
    func json(_ target: String) throws -> JSONText { try JSONText(try answer(target).content) }
    func text(_ target: String) throws -> String { try answer(target).content.text }
}

extension Pieces {
    /// Read in steps of an odd size.
    fileprivate var all: [UInt8] {
        var all: [UInt8] = []
        var buffer = nulls(1021)
        while case let count = buffer.withUnsafeMutableBytes(read), count > 0 { all += buffer[..<count] }
        return all
    }
}

extension HTTP.Response {
    var content: [UInt8] {
        get throws {
            switch body {
            case .bytes(let bytes): bytes
            case .file(let file, let count): try file.bytes(at: 0, count: count)
            case .events(_, let first): first
            case .pieces(let pieces): pieces.all
            case .later(let make): try make().content
            }
        }
    }
}
