package import Apod
import Files
package import Store

/// Another list in an open mirror, filled by hand.
package final class ListArchive {
    package let archive: Archive
    package let list: ListName
    private var count = 0

    package init(_ name: String, of mirror: Archive) throws {
        list = ListName(name)!
        archive = mirror
        try mirror.begin(list)
    }

    static func picture(_ record: JSONText, as name: FileName) -> Picture? {
        guard let title = record["title"]?.string else { return nil }
        return Picture(
            key: name.key, title: title, explanation: record["text"]?.string ?? "", credit: record["credit"]?.string,
            permalink: record["page"]?.string.flatMap { WebAddress($0) },
            media: .image(Source([WebAddress("https://example.org/\(name.key.mark).jpg")!])!),
            item: ItemRecord(
                id: name.key.isCover ? "" : name.stem, date: record["date"]?.string,
                licence: record["licence"]?.string),
            record: record)
    }

    /// An item with a picture, or the cover where there is no title. Who comes later is newer.
    @discardableResult
    package func add(
        _ title: String?, date: String? = nil, text: String = "Some text.", credit: String? = nil,
        licence: String? = nil, page: String? = nil, type: MediaType = .jpeg, content: [UInt8]? = nil
    ) async throws -> FileName {
        let name = FileName(
            title.map { ItemName(title: $0, date: date, of: list) } ?? ItemName(stem: "cover", of: list)!)
        count += 1
        let record = JSON.sparse([
            ("title", .string(title ?? "cover")), ("text", .string(text)), ("date", date.map(JSON.string)),
            ("credit", credit.map(JSON.string)), ("licence", licence.map(JSON.string)), ("page", page.map(JSON.string)),
        ])
        let picture = Self.picture(try JSONText(record.compact), as: name)!
        let content = content ?? "picture of \(name.stem)".bytes
        let file = StoredFile(
            role: .picture, type: type, address: picture.media.addresses[0], bytes: content.count,
            sha256: Digest(of: content), width: 4, height: 3)
        let staged = try Staged(content, in: archive.tree.unfinished, as: "\(name.key.mark)\(file.ending)", modified: 1)
        let document = try Document(picture, as: name, files: [file], MirrorPart(fetched: 1_700_000_000 + count))
        try await archive.add(
            StagedDay(
                document, picture, staged: [file.ending: staged], item: Item(name.key, .mirrored)))
        return name
    }
}
