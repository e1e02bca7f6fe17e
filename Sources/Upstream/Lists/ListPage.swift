package import Apod

/// One page of a list of pictures: read by the list's rules, and by the usual names of the fields that have none.
package struct ListPage: Sendable {
    /// In the list's order, no id twice.
    package let items: [ListItem]
    package let next: WebAddress?
    /// How many items were left out: without an id or a picture, or with the id of one before.
    package let bad: Int

    private static let mostItems = 100_000

    /// `address`: the page's own; nil for the first.
    package init(_ bytes: [UInt8], of list: PictureList, at address: WebAddress? = nil) throws(BadList) {
        let page = try Self.json(bytes)
        let base = address ?? list.address
        let whole = ListFields(page, of: list, at: base)
        let records = Self.records(of: page, whole, list).prefix(Self.mostItems)
        if records.isEmpty {
            throw .noItems(path: list.rules[.items]?.description, fields: page.names ?? [])
        }
        // What decides about an item's place is in one of the items, unless its name is wrong.
        let needed = [.id, .picture] + [.title, .date].filter { list.rules[$0] != nil }
        for field in needed where !records.contains(where: { ListFields($0, of: list, at: base).has(field) }) {
            throw .lacking(
                field, names: whole.rules(of: field).map(\.description), items: records.count,
                fields: records.firstValue(\.names) ?? [])
        }
        var ids: Set<String> = []
        items = records.compactMap { record in
            ListFields(record, of: list, at: base).item(of: whole).flatMap { ids.insert($0.id).inserted ? $0 : nil }
        }
        bad = records.count - items.count
        next = whole.next
    }

    private static func json(_ bytes: [UInt8]) throws(BadList) -> JSONText {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        do throws(JSONError) {
            // Some servers write a byte order mark (RFC 8259, 8.1, allows to ignore it).
            return try JSONText(bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
        } catch {
            throw bytes.first { $0 > 0x20 } == UInt8(ascii: "<") ? .html : .notJSON
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
    /// Reads an item's record back.
    package init?(_ record: JSONText, of list: PictureList) {
        let fields = ListFields(record, of: list, at: list.address)
        guard let item = fields.item(of: ListFields(JSONText(""), of: list, at: list.address)) else { return nil }
        self = item
    }
}

/// The members of an item, or of the page itself, read as a list's fields.
private struct ListFields {
    let members: [String: JSONText]
    private let record: JSONText
    private let list: PictureList
    private let base: WebAddress
    private var date: String?

    /// The names of fields in lists of many kinds; JSON Feed's are among them. The first that has a value counts.
    private static let usual: [PictureList.Field: [FieldRule]] = [
        .id: rules("id", "num"),
        .title: rules("title", "name"),
        .picture: rules(
            "image", "photo_url", "img", "source_url", pageOrPicture, "attachments[mime_type=image/*].url"),
        .date: rules("date_published", "date"),
        .text: rules("content_text", "content_html", "summary", "description", "caption"),
        .credit: rules("authors[].name", "author.name", "credit"),
        .licence: rules("license", "licence", "rights"),
        .next: rules("next_url"),
    ]
    /// In many lists the address of an item's page, in others that of its picture.
    private static let pageOrPicture = "url"
    private static let permalinks = rules(pageOrPicture, "external_url", "link", "ReferenceURL")
    private static let alts = rules("alt", "alt_text")

    private static func rules(_ texts: String...) -> [FieldRule] { texts.map { FieldRule($0)! } }

    init(_ record: JSONText, of list: PictureList, at base: WebAddress) {
        (self.record, self.list, self.base) = (record, list, base)
        members = record.members ?? [:]
        date = first(rules(of: .date), Self.date)
    }

    func rules(of field: PictureList.Field) -> [FieldRule] { list.rules[field].map { [$0] } ?? Self.usual[field] ?? [] }

    func has(_ field: PictureList.Field) -> Bool {
        switch field {
        case .id: id != nil
        case .picture: picture != nil
        case .date: date != nil
        default: words(rules(of: field)) != nil
        }
    }

    /// nil without an id or a picture. `page`: the page, whose credit and licence count where the item has none.
    func item(of page: ListFields) -> ListItem? {
        guard let id, let picture else { return nil }
        return ListItem(
            id: id, title: words(rules(of: .title)) ?? Self.name(of: picture) ?? id,
            explanation: words(rules(of: .text)) ?? "", date: date, credit: credit ?? page.credit,
            licence: words(rules(of: .licence)) ?? page.words(rules(of: .licence)), picture: Source([picture])!,
            permalink: first(Self.permalinks) { address($0).flatMap { $0 == picture ? nil : $0 } },
            alt: words(Self.alts), record: record)
    }

    /// nil for the page itself.
    var next: WebAddress? {
        first(rules(of: .next)) { address($0).flatMap { [base, list.address].contains($0) ? nil : $0 } }
    }

    private static let longestID = 200

    private var id: String? {
        first(rules(of: .id)) { text in
            let id = Text.clean(text)
            return 1...Self.longestID ~= id.utf8.count ? id : nil
        }
    }

    private var picture: WebAddress? {
        rules(of: .picture).firstValue { rule in
            let isDoubtful = list.rules[.picture] == nil && rule.description == Self.pageOrPicture
            return first([rule]) { address($0).flatMap { isDoubtful && $0.kind != .image ? nil : $0 } }
        }
    }

    private var credit: String? {
        rules(of: .credit).firstValue { rule in
            rule.texts(in: members, date: date).compactMap { HTMLText($0).credit.nonEmpty }.joined(separator: ", ")
                .nonEmpty
        }
    }

    private func words(_ rules: [FieldRule]) -> String? { first(rules) { HTMLText($0).text.nonEmpty } }

    private func address(_ text: String) -> WebAddress? { WebAddress(decoding: text, relativeTo: base) }

    private func first<Value>(_ rules: [FieldRule], _ read: (String) -> Value?) -> Value? {
        rules.firstValue { $0.texts(in: members, date: date).firstValue(read) }
    }

    /// The name of a picture's file, without its suffix.
    private static func name(of picture: WebAddress) -> String? {
        guard picture.kind == .image, let file = picture.path.split(separator: "/").last else { return nil }
        return FileName.parts(of: Percent.decoded(file)).flatMap { Text.clean($0.stem).nonEmpty }
    }

    /// The date at the beginning of a text: `1994-05-25` of `1994-05-25T06:00:00Z`, `1994-5-25` and `19940525`.
    private static func date(_ text: String) -> String? {
        func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        var parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3 {
            parts[2] = parts[2].prefix(while: isDigit)
        } else {
            let digits = text.utf8.prefix(while: isDigit)
            guard digits.count == 8 else { return nil }
            parts = [digits.prefix(4), digits.dropFirst(4).prefix(2), digits.suffix(2)]
        }
        let numbers = parts.compactMap { $0.allSatisfy(isDigit) ? Int(String(decoding: $0, as: UTF8.self)) : nil }
        guard numbers.count == 3, parts[0].count == 4, numbers[0] > 0, 1...12 ~= numbers[1], parts[1].count <= 2,
            1...days(in: numbers[1], of: numbers[0]) ~= numbers[2], parts[2].count <= 2
        else { return nil }
        return Day.withZeros(parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-"))
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
