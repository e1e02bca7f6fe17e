import Apod
import TestSupport
import Testing

@testable import Upstream

struct ListPageTests {
    typealias Rules = [PictureList.Field: String]

    private static func list(_ rules: Rules = [:], known: String? = nil) -> PictureList {
        let known = PictureList.known.first { $0.name.description == known }
        return PictureList(
            name: ListName("test")!, address: known?.address ?? address("https://a.example/api/list.json"),
            rules: known?.rules ?? rules.mapValues { FieldRule($0)! })
    }

    private static func items(_ json: String, _ rules: Rules = [:], known: String? = nil) throws -> [ListItem] {
        let list = list(rules, known: known)
        return try ListPage(json.bytes, of: list).records.compactMap { ListItem($0, of: list) }
    }

    /// Id, title, date and picture; text, credit, licence, permalink and alternative text; whether it is copyrighted.
    private static func words(_ item: ListItem?) -> String {
        guard let item else { return "none" }
        let picture = item.picture.best.description
        let texts = [
            item.id, item.title, item.date, picture, item.explanation, item.credit, item.licence,
            item.permalink?.description, item.alt,
        ]
        return texts.map { $0 ?? "-" }.joined(separator: "|") + (item.isCopyrighted.map { "|\($0)" } ?? "")
    }

    private static let forms: [(json: String, rules: Rules, known: String?, words: String)] = [
        (
            "\u{feff}" + #"[{"id": 1, "name": "Tom", "breed": "Manx", "photo_url": "https://a.example/tom.jpg"}]"#, [:],
            nil, "1|Tom|-|https://a.example/tom.jpg|Manx|-|-|-|-"
        ),
        (
            #"{"data": [{"key": "k1", "breed": "Manx", "from": "Man", "pic": {"src": "/c/tom.jpg"}}]}"#,
            [.items: "data", .id: "key", .title: "{breed} of {from}", .picture: "pic.src", .credit: "Photo: {from}"],
            nil, "k1|Manx of Man|-|https://a.example/c/tom.jpg|Manx|Photo: Man|-|-|-"
        ),
        (
            """
            {"Type": "Images", "Collections": [{
                "ID": "potw2648a", "Title": "A spiral &amp; its arms", "ReferenceURL": "https://esahubble.org/potw2648a/",
                "PublicationDate": "2026-11-23T06:00:00+01:00", "Description": "<p>A <i>galaxy</i>.</p><p>Far away</p>",
                "Credit": "<p><a href='https://a.example'>ESA</a> &amp; NASA, A. Nobody</p>", "Rights": "CC BY 4.0",
                "Assets": [{"MediaType": "Image", "Resources": [
                    {"ResourceType": "Original", "URL": "https://cdn.example/o.tif"},
                    {"ResourceType": "Large", "URL": "https://cdn.example/l.jpg", "Checksum": null}
                ]}]
            }]}
            """, [:], "esa-hubble",
            "potw2648a|A spiral & its arms|2026-11-23|https://cdn.example/l.jpg|A galaxy. Far away|ESA & NASA, A. Nobody|"
                + "CC BY 4.0|https://esahubble.org/potw2648a/|-|true"
        ),
        (
            """
            {"version": "https://jsonfeed.org/version/1.1", "authors": [{"name": "Eve"}], "items": [{
                "authors": [{"name": "Ada"}, {"name": "© Ben"}], "id": "1", "url": "https://a.example/1", "title": null,
                "date_published": "1994-05-25T10:00:00Z", "content_html": "<p>An owl.</p>", "summary": "Less",
                "date": "2001-01-01", "attachments": [
                    {"url": "https://a.example/1.mp3", "mime_type": "audio/mpeg"},
                    {"url": "b/My%20owl%2f7.WebP?w=1&amp;h=2", "mime_type": "image/jpeg"}
                ]
            }]}
            """, [:], nil,
            "1|My owl/7|1994-05-25|https://a.example/api/b/My%20owl%2f7.WebP?w=1&h=2|An owl.|Ada, © Ben|-|"
                + "https://a.example/1|-|true"
        ),
        (
            #"[{"identifier": "20151031003633", "caption": "Earth", "image": "epic_1b", "date": "2015-10-31 00:31:45"}]"#,
            [:], "epic",
            "20151031003633|Earth|2015-10-31|https://epic.gsfc.nasa.gov/archive/natural/2015/10/31/png/epic_1b.png|Earth|-|"
                + "Public domain|-|-|false"
        ),
        (
            """
            {"month": "7", "num": 42, "link": "https://a.example/42/", "year": "2026", "title": {"rendered": "Owl&#8217;s"},
            "alt": "More", "img": "https://a.example/owl.png", "day": "3"}
            """, [.date: "{year}-{month}-{day}", .title: "title.rendered"], nil,
            "42|Owl’s|2026-07-03|https://a.example/owl.png||-|-|https://a.example/42/|More"
        ),
    ]

    @Test("An item is read in each of the forms that lists have, and read back", arguments: forms.indices)
    func reads(index: Int) throws {
        let (json, rules, known, words) = Self.forms[index]
        let items = try Self.items(json, rules, known: known)
        #expect(items.map(Self.words) == [words])
        let item = try #require(items.first)
        #expect(json.contains(item.record.text))
        #expect(ListItem(item.record, of: Self.list(rules, known: known)) == item)
    }

    /// An item with these members and a picture.
    private static func item(_ members: String) throws -> ListItem? {
        try items("[{\(members), \"image\": \"/1.jpg\"}, {\"id\": \"other\", \"image\": \"/2.jpg\"}]").first
    }

    @Test(
        "An item has a date of any year, or none",
        arguments: [
            ("0001-01-01T00:00:00Z", "0001-01-01"), ("9999-12-31 23:59:59", "9999-12-31"),
            ("2026-7-3", "2026-07-03"), ("20261127T050500-0500", "2026-11-27"),
        ]
            + [
                "1900-02-29", "2026-13-01", "0000-01-01", "26-11-27", "2026-011-27", "1732712345", "+026-11-27",
                "2026--1-01", "20261301",
            ].map { ($0, nil) } as [(String, String?)])
    func dates(text: String, date: String?) throws {
        #expect(try Self.item(#""id": 1, "date": "\#(text)""#)?.date == date)
    }

    @Test(
        "An item says of rights what its list was told",
        arguments: [
            (false, ["CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "Public Domain (NASA)|© Ada"]),
            (nil, ["Not in the public domain", "Public domain? Copyright Ada", "|Ada", "unknown"]),
            (true, ["https://creativecommons.org/licenses/by/4.0/", "All rights reserved", "|© Ada"]),
        ] as [(Bool?, [String])])
    func rights(isCopyrighted: Bool?, texts: [String]) throws {
        for text in texts {
            let parts = text.split(separator: "|", omittingEmptySubsequences: false)
            let item = try Self.item(
                #""id": 1, "rights": "\#(parts[0])", "credit": "\#(parts.count > 1 ? parts[1] : "")""#)
            #expect(item?.isCopyrighted == isCopyrighted, "\(text)")
        }
    }

    @Test("An item has clean words, whatever its list holds")
    func hostileWords() throws {
        let item = try Self.item(
            #""id": "\u0000 a\u202e\n b/../c", "title": "\u202e../..\u0000/<b>x</b>&lt;i&gt;", "description": [{}], "#
                + #""credit": null, "date": {"date": 1}, "url": "javascript:alert(1)""#)
        #expect(Self.words(item) == "a b/../c|../.. /x<i>|-|https://a.example/1.jpg||-|-|-|-")
        #expect(
            try Self.item(#""id": -1.50e3, "title": true, "name": 42"#).map { [$0.id, $0.title] } == ["-1.50e3", "42"])
        let long = try Self.item(#""id": 1, "description": "\#(String(repeating: "x", count: 1 << 20))""#)
        #expect(long.map { $0.explanation.utf8.count <= 1 << 17 } == true)
    }

    @Test(
        "An item without an id or a picture is left out",
        arguments: [
            #""id": null, "image": "/1.jpg""#, #""id": "\u0000", "image": "/1.jpg""#, #""image": "/1.jpg""#,
            #""id": "\#(String(repeating: "x", count: 201))", "image": "/1.jpg""#, #""id": 3"#,
            #""id": 3, "image": "file:///etc/x.jpg""#, #""id": 3, "image": {"src": "/1.jpg"}"#,
            #""id": 3, "url": "https://a.example/3.html""#,
        ])
    func leavesOut(members: String) throws {
        let id = String(repeating: "y", count: 200)
        let items = try Self.items(
            #"[{"id": 0, "image": "/1.jpg"}, null, [7], {\#(members)}, {"id": "\#(id)", "url": "/2.jpg"}]"#)
        #expect(items.map(\.id) == ["0", id] && items.map(\.picture.best.path) == ["/1.jpg", "/2.jpg"])
    }

    @Test(
        "A page is followed by another on the web, which it or else its head names, never by itself",
        arguments: [
            ("/2.json", "", "/2.json"), ("page.json?after=1", "", "/api/page.json?after=1"), ("list.json", "", nil),
            ("page.json#2", "", nil), ("javascript:alert(1)", "", nil),
            ("", #"</2>; rel="next", </9>; rel="last""#, "/2"),
            ("", "</0>; rel=\"prev\", <2>; REL=Next", "/api/2"), ("/3", "</2>; rel=next", "/3"),
            ("", "/2; rel=next", nil),
            ("", "</9>; rel=last", nil), ("", "<list.json>; rel=next", nil), ("", "<<>>;,<", nil),
        ] as [(String, String, String?)])
    func next(text: String, links: String, next: String?) throws {
        let json = #"{"items": [{"id": 1, "image": "1.jpg"}], "next_url": "\#(text)"}"#.bytes
        let page = address("https://a.example/api/page.json")
        let found = try ListPage(json, of: Self.list(), at: page, links: links).next
        #expect(found == next.map { address("https://a.example\($0)") })
        #expect(try ListPage(json, of: Self.list([.next: "more"]), links: links).next == nil)
    }

    private static let bad: [(BadList, [String], Rules)] =
        [
            (.html, [" \n<!doctype html><p>"], [:]), (.notJSON, ["", "[{", String(repeating: "[", count: 70)], [:]),
            (.noItems(path: nil, fields: []), ["[]", "{}", "7"], [:]),
            (.noItems(path: nil, fields: ["items"]), [#"{"items": []}"#], [:]),
            (.noItems(path: "lists", fields: ["list"]), [#"{"list": [{"id": 1}]}"#], [.items: "lists"]),
            (.lacking(.id, names: ["id", "num"], items: 2, fields: []), ["[1, null]"], [:]),
            (
                .lacking(.title, names: ["nam"], items: 2, fields: ["id", "photo_url"]),
                [#"[7, {"id": 1, "photo_url": "1.jpg"}]"#], [.title: "nam"]
            ),
        ]
        + [.date, .picture].map { field in
            (
                .lacking(field, names: ["x"], items: 1, fields: ["id", field == .date ? "image" : "pic"]),
                [#"[{"id": 1, "\#(field == .date ? "image" : "pic")": "1.jpg"}]"#], [field: "x"]
            )
        }

    @Test("A page that is no list says why; behind the first, the list ends there", arguments: bad.indices)
    func refuses(index: Int) throws {
        let (error, pages, rules) = Self.bad[index]
        for page in pages {
            #expect(throws: error) { try Self.items(page, rules) }
            if error.field == nil { continue }
            let later = try ListPage(page.bytes, of: Self.list(rules), at: address("https://a.example/2"))
            #expect(later.next == nil)
        }
        let many = BadList.noItems(path: nil, fields: (0..<1000).map { "\($0)\(String(repeating: "x", count: 100))" })
        #expect(many.description.utf8.count < 2000)
    }

    @Test("A page has no more than 100,000 items")
    func longest() throws {
        let items = (1...3).map { #"{"id": \#($0), "image": "1.jpg"}"# }
        let page = "[\(items[0]), \(String(repeating: "0, ", count: 99_998)) \(items[1]), \(items[2])]"
        #expect(try Self.items(page).map(\.id) == ["1", "2"])
    }

    @Test("A known list has rules, and an address that is no other's")
    func known() {
        let known = PictureList.known
        #expect(known.map(\.name) == known.map(\.name).sorted() && Set(known.map(\.address)).count == known.count)
        #expect(known.allSatisfy { $0.rules[.id] != nil && $0.rules[.picture] != nil })
    }
}
