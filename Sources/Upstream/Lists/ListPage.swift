package import Apod

/// One page of a list of pictures: read by the list's rules, and by the usual names of the fields that have none.
package struct ListPage: Sendable {
    /// The items as they came, in the list's order (`ListItem(_:of:)` reads one).
    package let records: ArraySlice<JSONText>
    package let next: WebAddress?

    private static let mostItems = 100_000

    /// `address`: the page's own; nil for the first. `links`: the field `Link` of its head.
    package init(
        _ bytes: [UInt8], of list: PictureList, at address: WebAddress? = nil, links: String? = nil
    ) throws(BadList) {
        let page = try Self.json(bytes)
        let whole = ListFields(page, of: list)
        records = Self.records(of: page, whole, list).prefix(Self.mostItems)
        let address = address ?? list.address
        if records.isEmpty {
            // Behind the first page, the list ends there.
            guard address != list.address else {
                throw .noItems(path: list.rules[.items]?.description, fields: page.orderedMembers?.map(\.name) ?? [])
            }
            next = nil
            return
        }
        // What decides about an item's place is in one of the first page's items, unless its name is wrong.
        let needed = [.id, .picture] + [.title, .date].filter { list.rules[$0] != nil }
        for field in needed
        where address == list.address && !records.contains(where: { ListFields($0, of: list).has(field) }) {
            throw .lacking(
                field, names: whole.rules(of: field).map(\.description), items: records.count,
                fields: records.firstValue(\.orderedMembers)?.map(\.name) ?? [])
        }
        next = whole.next(behind: address, links.flatMap(Self.next))
    }

    /// The address that has the relation “next” in a field `Link` (RFC 8288, 3).
    private static func next(in links: String) -> String? {
        links.split(separator: "<").firstValue { link in
            guard let end = link.firstIndex(of: ">") else { return nil }
            let isNext = link[end...].lowercased().replacing("\"", with: "").contains("rel=next")
            return isNext ? String(link[..<end]) : nil
        }
    }

    private static func json(_ bytes: [UInt8]) throws(BadList) -> JSONText {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        do throws(JSONError) {
            // Some servers write a byte order mark (RFC 8259, 8.1, allows to ignore it).
            return try JSONText(bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
        } catch {
            throw bytes.first { $0 > 0x20 } == "<" ? .html : .notJSON
        }
    }

    private static func records(of page: JSONText, _ whole: ListFields, _ list: PictureList) -> [JSONText] {
        if let rule = list.rules[.items] {
            return rule.path?.values(in: page).flatMap { $0.elements ?? [$0] } ?? []
        }
        if let items = page.elements ?? whole.members["items"]?.elements { return items }
        // One object is a list of one if it is like an item.
        return whole.has(.id) || whole.has(.picture) ? [page] : []
    }
}

extension ListItem {
    /// nil without an id or a picture. Nothing but the record tells of the item, so that it can be read back.
    package init?(_ record: JSONText, of list: PictureList) {
        let fields = ListFields(record, of: list)
        guard let id = fields.id, let picture = fields.picture else { return nil }
        self.init(
            id: id, title: fields.title ?? ListFields.name(of: picture) ?? id, explanation: fields.text ?? "",
            date: fields.date, credit: fields.credit, licence: fields.licence, picture: Source([picture])!,
            permalink: fields.permalink(beside: picture), alt: fields.alt, record: record)
    }
}

/// The members of an item, or of the page itself, read as a list's fields.
private struct ListFields {
    let members: [String: JSONText]
    private(set) var date: String?
    private let list: PictureList

    /// The names of fields in lists of many kinds; JSON Feed's are among them. The first that has a value counts.
    private static let usual: [PictureList.Field: [FieldRule]] = [
        .id: rules("id", "num"),
        .title: rules("title", "name"),
        .picture: rules(
            "image", "photo_url", "img", "source_url", pageOrPicture, "attachments[mime_type=image/*].url"),
        .date: rules("date_published", "date"),
        .text: rules(
            "content_text", "content_html", "summary", "description", "caption", "text", "explanation", "breed"),
        .credit: rules("authors[].name", "author.name", "credit"),
        .licence: rules("license", "licence", "rights"),
        .next: rules("next_url"),
    ]
    /// In many lists the address of an item's page, in others that of its picture.
    private static let pageOrPicture = "url"
    private static let permalinks = rules(pageOrPicture, "external_url", "link", "ReferenceURL")
    private static let alts = rules("alt", "alt_text")

    private static func rules(_ texts: String...) -> [FieldRule] { texts.map { FieldRule($0)! } }

    init(_ record: JSONText, of list: PictureList) {
        self.list = list
        members = record.members ?? [:]
        date = first(rules(of: .date), Self.date)
    }

    func rules(of field: PictureList.Field) -> [FieldRule] { list.rules[field].map { [$0] } ?? Self.usual[field] ?? [] }

    func has(_ field: PictureList.Field) -> Bool {
        switch field {
        case .id: id != nil
        case .picture: picture != nil
        case .date: date != nil
        case .title: title != nil
        case .items, .text, .credit, .licence, .next: true
        }
    }

    /// nil for the page itself, and for the first. `linked`: what counts where neither a rule nor the page names one.
    func next(behind page: WebAddress, _ linked: String?) -> WebAddress? {
        func other(_ text: String) -> WebAddress? {
            WebAddress(decoding: text, relativeTo: page).flatMap { [page, list.address].contains($0) ? nil : $0 }
        }
        return first(rules(of: .next), other) ?? (list.rules[.next] == nil ? linked.flatMap(other) : nil)
    }

    private static let longestID = 200

    var id: String? {
        first(rules(of: .id)) { text in
            let id = Text.clean(text)
            return 1...Self.longestID ~= id.utf8.count ? id : nil
        }
    }

    var picture: WebAddress? {
        rules(of: .picture).firstValue { rule in
            let isDoubtful = list.rules[.picture] == nil && rule.description == Self.pageOrPicture
            return first([rule]) { address($0).flatMap { isDoubtful && $0.kind != .image ? nil : $0 } }
        }
    }

    var credit: String? {
        rules(of: .credit).firstValue { rule in
            rule.texts(in: members, date: date).compactMap { HTMLText($0).credit.nonEmpty }.joined(separator: ", ")
                .nonEmpty
        }
    }

    var title: String? { words(rules(of: .title)) }
    var text: String? { words(rules(of: .text)) }
    var licence: String? { words(rules(of: .licence)) }
    var alt: String? { words(Self.alts) }

    func permalink(beside picture: WebAddress) -> WebAddress? {
        first(Self.permalinks) { address($0).flatMap { $0 == picture ? nil : $0 } }
    }

    private func words(_ rules: [FieldRule]) -> String? { first(rules) { HTMLText($0).text.nonEmpty } }

    private func address(_ text: String) -> WebAddress? { WebAddress(decoding: text, relativeTo: list.address) }

    private func first<Value>(_ rules: [FieldRule], _ read: (String) -> Value?) -> Value? {
        rules.firstValue { $0.texts(in: members, date: date).firstValue(read) }
    }

    /// The name of a picture's file, without its suffix.
    static func name(of picture: WebAddress) -> String? {
        guard picture.kind == .image, let file = picture.path.split(separator: "/").last else { return nil }
        return FileName.parts(of: Percent.decoded(file)).flatMap { Text.clean($0.stem).nonEmpty }
    }

    /// The date at the beginning of a text: `1994-05-25` of `1994-05-25T06:00:00Z`, `1994-5-25` and `19940525`.
    private static func date(_ text: String) -> String? {
        let dash: UInt8 = "-"
        let start = text.utf8.prefix { $0 == dash || "0"..."9" ~= $0 }
        let isCompact = start.count == 8 && !start.contains(dash)
        let date =
            isCompact
            ? "\(start.prefix(4).text)-\(start.dropFirst(4).prefix(2).text)-\(start.suffix(2).text)"
            : Day.withZeros(start.text)
        return Day.isDate(date) && !date.hasPrefix("0000") ? date : nil
    }
}
