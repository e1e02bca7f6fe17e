import Apod
import TestSupport
import Testing

@testable import Upstream

struct ListPageTests {
    private static let base = "https://a.example/api/list.json"

    private static func list(_ rules: [PictureList.Field: String] = [:], known: String? = nil) -> PictureList {
        let known = PictureList.known.first { $0.name.description == known }
        return PictureList(
            name: ListName("test")!, address: known?.address ?? address(base),
            rules: known?.rules ?? rules.mapValues { FieldRule($0)! })
    }

    private static func page(
        _ json: String, _ rules: [PictureList.Field: String] = [:], known: String? = nil, at address: WebAddress? = nil
    ) throws -> (items: [ListItem], next: WebAddress?) {
        let list = list(rules, known: known)
        let page = try ListPage(Array(json.utf8), of: list, at: address)
        return (page.records.compactMap { ListItem($0, of: list) }, page.next)
    }

    /// Id, title, date and picture; then text, credit, licence, permalink, alternative text.
    private static func words(_ item: ListItem?) -> [[String?]] {
        guard let item else { return [] }
        return [
            [item.id, item.title, item.date, item.picture.best.description],
            [item.explanation, item.credit, item.licence, item.permalink?.description, item.alt],
        ]
    }

    private struct Form: Sendable {
        let name: String
        let json: String
        var rules: [PictureList.Field: String] = [:]
        var known: String?
        /// What `words` says of the first item.
        let words: [[String?]]
        var next: String?
        var copyrighted: Bool?
    }

    private static let forms: [Form] = [
        Form(
            name: "cats",
            json: "\u{feff}"
                + #"[{"id": 1, "name": "Tom", "breed": "Manx", "photo_url": "https://a.example/c/tom.jpg"}]"#,
            words: [["1", "Tom", nil, "https://a.example/c/tom.jpg"], ["Manx", nil, nil, nil, nil]]),
        Form(
            name: "cats by rules",
            json:
                #"{"data": [{"key": "k1", "breed": "Manx", "from": "Man", "pic": {"src": "/c/tom.jpg"}}], "more": "?p=2"}"#,
            rules: [
                .items: "data", .id: "key", .title: "{breed} of {from}", .picture: "pic.src", .credit: "Photo: {from}",
                .next: "more",
            ],
            words: [
                ["k1", "Manx of Man", nil, "https://a.example/c/tom.jpg"], ["Manx", "Photo: Man", nil, nil, nil],
            ], next: "https://a.example/api/list.json?p=2"),
        Form(
            name: "Data2Dome",
            json: """
                {"Type": "Images", "Next": "https://esahubble.org/images/d2d/?before=20261101000000", "Collections": [{
                    "ID": "potw2648a", "Title": "A spiral &amp; its arms", "ReferenceURL": "https://esahubble.org/images/potw2648a/",
                    "PublicationDate": "2026-11-23T06:00:00+01:00", "Description": "<p>A <i>galaxy</i>.</p><p>Far away</p>",
                    "Credit": "<p><a href='https://a.example'>ESA/Hubble</a> &amp; NASA, A. Nobody</p>",
                    "Rights": "Creative Commons Attribution 4.0 International License",
                    "Assets": [{"MediaType": "Image", "Resources": [
                        {"ResourceType": "Original", "URL": "https://cdn.example/o.tif", "Dimensions": [9, 9]},
                        {"ResourceType": "Large", "URL": "https://cdn.example/l.jpg", "FileSize": 7, "Checksum": null}
                    ]}]
                }]}
                """, known: "esa-hubble",
            words: [
                ["potw2648a", "A spiral & its arms", "2026-11-23", "https://cdn.example/l.jpg"],
                [
                    "A galaxy. Far away", "ESA/Hubble & NASA, A. Nobody",
                    "Creative Commons Attribution 4.0 International License", "https://esahubble.org/images/potw2648a/",
                    nil,
                ],
            ], next: "https://esahubble.org/images/d2d/?before=20261101000000", copyrighted: true),
        Form(
            name: "JSON Feed",
            json: """
                {"version": "https://jsonfeed.org/version/1.1", "title": "Birds", "home_page_url": "https://a.example/",
                "next_url": "https://a.example/feed-2.json", "authors": [{"name": "Eve"}], "items": [{
                    "authors": [{"name": "Ada"}, {"name": "Ben"}],
                    "id": "https://a.example/1", "url": "https://a.example/1", "title": null, "image": "b/1.webp?w=1&amp;h=2",
                    "date_published": "1994-05-25T10:00:00Z", "content_html": "<p>An owl.</p>", "summary": "Less"
                }]}
                """,
            words: [
                ["https://a.example/1", "1", "1994-05-25", "https://a.example/api/b/1.webp?w=1&h=2"],
                ["An owl.", "Ada, Ben", nil, "https://a.example/1", nil],
            ], next: "https://a.example/feed-2.json"),
        Form(
            name: "JSON Feed with attachments",
            json: """
                {"items": [{"id": "1", "url": "https://a.example/1", "title": "Owl", "content_text": "An owl.", "authors": [
                    {"name": "© Cem"}], "attachments": [
                        {"url": "https://a.example/1.mp3", "mime_type": "audio/mpeg"},
                        {"url": "https://a.example/p?id=1", "mime_type": "image/jpeg"}
                    ]}]}
                """,
            words: [
                ["1", "Owl", nil, "https://a.example/p?id=1"], ["An owl.", "© Cem", nil, "https://a.example/1", nil],
            ], copyrighted: true),
        Form(
            name: "EPIC",
            json: """
                [{"identifier": "20151031003633", "caption": "The Earth", "image": "epic_1b_20151031003633",
                "date": "2015-10-31 00:31:45", "lat": {"lat": 1.5}}]
                """, known: "epic",
            words: [
                [
                    "20151031003633", "The Earth", "2015-10-31",
                    "https://epic.gsfc.nasa.gov/archive/natural/2015/10/31/png/epic_1b_20151031003633.png",
                ], ["The Earth", nil, "Public domain", nil, nil],
            ], copyrighted: false),
        Form(
            name: "WordPress's media",
            json: """
                [{"id": 0, "date": "2026-11-20T05:05:00", "link": "https://a.example/owl/", "title": {"rendered": "Owl&#8217;s"},
                "author": 7, "description": {"rendered": "<p><a href='x.jpg'><img src='x.jpg'></a></p>"},
                "caption": {"rendered": "<p>At night</p>\\n"}, "alt_text": "An owl", "mime_type": "image/jpeg",
                "source_url": "https://a.example/wp-content/uploads/owl.jpg"}]
                """, rules: [.title: "title.rendered", .picture: "source_url"],
            words: [
                ["0", "Owl’s", "2026-11-20", "https://a.example/wp-content/uploads/owl.jpg"],
                ["At night", nil, nil, "https://a.example/owl/", "An owl"],
            ]),
        Form(
            name: "one object",
            json: """
                {"month": "7", "num": 42, "link": "", "year": "2026", "news": "", "title": "Geese", "alt": "More than one",
                "img": "https://a.example/comics/geese.png", "day": "3"}
                """, rules: [.date: "{year}-{month}-{day}"],
            words: [
                ["42", "Geese", "2026-07-03", "https://a.example/comics/geese.png"],
                ["", nil, nil, nil, "More than one"],
            ]),
        Form(
            name: "pictures alone", json: #"[{"id": "a", "url": "https://a.example/My%20owl%2f7.JPG"}]"#,
            words: [["a", "My owl/7", nil, "https://a.example/My%20owl%2f7.JPG"], ["", nil, nil, nil, nil]]),
    ]

    @Test("A page of a list is read in each of the forms that lists have", arguments: forms.indices)
    func reads(index: Int) throws {
        let form = Self.forms[index]
        let page = try Self.page(form.json, form.rules, known: form.known)
        #expect(page.items.count == 1, "\(form.name)")
        #expect(Self.words(page.items.first) == form.words, "\(form.name)")
        #expect(page.next?.description == form.next, "\(form.name)")
        #expect(page.items.first?.isCopyrighted == form.copyrighted, "\(form.name)")
        let item = try #require(page.items.first, "\(form.name)")
        #expect(form.json.contains(item.record.text), "\(form.name)")
        #expect(ListItem(item.record, of: Self.list(form.rules, known: form.known)) == item, "\(form.name)")
    }

    private static let picture = #""image": "/1.jpg""#

    /// A page of one item with these members and a picture.
    private static func item(_ members: String, _ rules: [PictureList.Field: String] = [:]) throws -> ListItem? {
        try page("[{\(members), \(picture)}, {\"id\": \"other\", \(picture)}]", rules).items.first
    }

    @Test(
        "A page of a list has dates of any year, and no others",
        arguments: [
            ("1994-05-25", "1994-05-25"), ("0001-01-01T00:00:00Z", "0001-01-01"), ("9999-12-31 23:59:59", "9999-12-31"),
            ("2024-02-29", "2024-02-29"), ("2000-02-29", "2000-02-29"), ("2026-7-3", "2026-07-03"),
            ("20261127", "2026-11-27"), ("20261127T050500-0500", "2026-11-27"), ("1900-02-29", nil),
            ("2025-02-29", nil),
            ("2026-13-01", nil), ("2026-04-31", nil), ("2026-00-10", nil), ("2026-10-00", nil), ("0000-01-01", nil),
            ("26-11-27", nil), ("2026-011-27", nil), ("2026-11-027", nil), ("1732712345", nil), ("2026-11", nil),
            ("", nil),
            ("yesterday", nil), ("+026-11-27", nil), ("2026--1-01", nil), ("20261301", nil),
        ] as [(String, String?)])
    func dates(text: String, date: String?) throws {
        #expect(try Self.item(#""id": 1, "date": "\#(text)""#)?.date == date)
    }

    @Test(
        "A page of a list says of rights what it was told",
        arguments: [
            ("CC0 1.0", "", false), ("https://creativecommons.org/publicdomain/zero/1.0/", "", false),
            ("Public Domain (NASA)", "© Ada", false), ("Not in the public domain", "", nil),
            ("Public domain? Copyright Ada", "", nil), ("CC BY-SA 4.0", "", true), ("cc-by", "", true),
            ("https://creativecommons.org/licenses/by/4.0/", "", true), ("All rights reserved", "", true),
            ("", "Copyright Ada", true), ("", "© Ada", true), ("", "Ada", nil), ("unknown", "", nil), ("", "", nil),
        ] as [(String, String, Bool?)])
    func rights(licence: String, credit: String, isCopyrighted: Bool?) throws {
        let item = try Self.item(#""id": 1, "rights": "\#(licence)", "credit": "\#(credit)""#)
        #expect(item?.isCopyrighted == isCopyrighted)
    }

    @Test("A page of a list has clean words, whatever the list holds")
    func hostileWords() throws {
        let item = try Self.item(
            #""id": "\u0000 a\u202e\n b/../c", "title": "\u202e../..\u0000/<b>x</b>&lt;i&gt;", "description": [{}], "credit": null, "#
                + #""date": {"date": 1}, "url": "javascript:alert(1)""#)
        #expect(
            Self.words(item) == [
                ["a b/../c", "../.. /x<i>", nil, "https://a.example/1.jpg"], ["", nil, nil, nil, nil],
            ])
        #expect(try Self.item(#""id": 1, "title": 42, "name": "x""#)?.title == "42")
        #expect(try Self.item(#""id": 1, "title": true, "name": "x""#)?.title == "x")
        #expect(try Self.item(#""id": -1.50e3"#)?.id == "-1.50e3")
        let long = try Self.item(#""id": 1, "description": "\#(String(repeating: "x", count: 1 << 20))""#)
        #expect(long.map { $0.explanation.utf8.count <= 1 << 17 } == true)
    }

    private static let leftOut = [
        #"{"id": null, "image": "/1.jpg"}"#, #"{"id": "\u0000", "image": "/1.jpg"}"#, #"{"image": "/1.jpg"}"#,
        #"{"id": "\#(String(repeating: "x", count: 201))", "image": "/1.jpg"}"#, #"{"id": 3}"#,
        #"{"id": 3, "image": null}"#,
        #"{"id": 3, "image": "javascript:alert(1).jpg"}"#, #"{"id": 3, "image": "data:image/jpeg,x.jpg"}"#,
        #"{"id": 3, "image": "file:///etc/x.jpg"}"#, #"{"id": 3, "image": {"src": "/1.jpg"}}"#,
        #"{"id": 3, "url": "https://a.example/3"}"#, #"{"id": 3, "url": "https://a.example/3.html"}"#, "[]", "7",
        "null",
    ]

    @Test("A page of a list leaves out an item without an id or a picture", arguments: leftOut)
    func leavesOut(item: String) throws {
        let id = String(repeating: "y", count: 200)
        let page = try Self.page(
            "[{\"id\": \"first\", \(Self.picture)}, \(item), {\"id\": \"\(id)\", \"url\": \"/2.jpg\"}]")
        #expect(page.items.map(\.id) == ["first", id])
        #expect(page.items.map(\.picture.best.path) == ["/1.jpg", "/2.jpg"])
    }

    @Test(
        "A page of a list is followed by another on the web, never by itself",
        arguments: [
            ("/2.json", "https://a.example/2.json"), ("https://b.example/2", "https://b.example/2"), ("list.json", nil),
            ("page.json", nil), ("page.json#2", nil), ("javascript:alert(1)", nil), ("file:///2", nil), ("", nil),
            ("https://a.example/api/page.json?after=1", "https://a.example/api/page.json?after=1"),
        ] as [(String, String?)])
    func next(text: String, next: String?) throws {
        let json = #"{"items": [{"id": 1, "image": "1.jpg"}], "next_url": "\#(text)"}"#
        let page = try Self.page(json, at: address("https://a.example/api/page.json"))
        #expect(page.next?.description == next)
    }

    @Test(
        "A page of a list is followed by the one that its head links to, where it names none itself",
        arguments: [
            (#"</2>; rel="next", </9>; rel="last""#, "", "https://a.example/2"),
            (#"</0>; rel="prev", <2>; REL=Next"#, "", "https://a.example/api/2"),
            (#"</2>; rel="next""#, "/3", "https://a.example/3"), (#"</9>; rel="last""#, "", nil),
            ("/2; rel=next", "", nil),
            (#"<list.json>; rel="next""#, "", nil), ("<<>>;,<", "", nil),
        ] as [(String, String, String?)])
    func linked(links: String, text: String, next: String?) throws {
        let json = Array(#"{"items": [{"id": 1, "image": "1.jpg"}], "next_url": "\#(text)"}"#.utf8)
        #expect(try ListPage(json, of: Self.list(), links: links).next?.description == next)
        #expect(try ListPage(json, of: Self.list([.next: "more"]), links: links).next == nil)
    }

    private static let bad: [(json: String, rules: [PictureList.Field: String], words: String)] = [
        (" \n<!doctype html><p>", [:], "a page in HTML, not a list in JSON"), ("", [:], "not JSON, or cut off"),
        ("[{", [:], "not JSON, or cut off"), (String(repeating: "[", count: 70), [:], "not JSON, or cut off"),
        ("[]", [:], "no items"), ("{}", [:], "no items"), ("7", [:], "no items"), ("null", [:], "no items"),
        (#"{"items": []}"#, [:], "no items: fields are items"),
        (#"{"error": "key", "at\n": 1}"#, [:], "no items: fields are error, at\u{fffd}"),
        (#"{"list": [{"id": 1, "image": "1.jpg"}]}"#, [.items: "lists"], "no items in `lists`: fields are list"),
        ("[1, null]", [:], "2 items; no `id` or `num`"),
        (#"[{"key": 1, "image": "1.jpg"}]"#, [:], "1 item; no `id` or `num`: fields are key, image"),
        (
            #"[7, {"id": 1, "breed": "Manx", "photo_url": "1.jpg"}]"#, [.title: "nam"],
            "2 items; no `nam`: fields are id, breed, photo_url"
        ),
        (#"[{"id": 1, "image": "1.jpg"}]"#, [.date: "day"], "1 item; no date in `day`: fields are id, image"),
        (#"[{"id": 1, "pic": "1.jpg"}]"#, [.picture: "pics"], "1 item; no picture in `pics`: fields are id, pic"),
        (
            #"{"id": 1, "page": "1.html"}"#, [:],
            "1 item; no picture in `image`, `photo_url`, `img`, `source_url`, `url` or "
                + "`attachments[mime_type=image/*].url`: fields are id, page"
        ),
    ]

    @Test("A page of a list says why it is none", arguments: bad.indices)
    func refuses(index: Int) {
        let (json, rules, words) = Self.bad[index]
        let error = #expect(throws: BadList.self) { try Self.page(json, rules) }
        #expect(error?.description == words)
    }

    @Test("A page of a list names no more fields than a message holds")
    func manyFields() {
        let members = (0..<1000).map { "\"\($0)\(String(repeating: "x", count: 100))\": 1" }.joined(separator: ", ")
        let error = #expect(throws: BadList.self) { try Self.page("[{\(members)}]") }
        #expect(error.map { $0.description.utf8.count < 2000 && $0.description.hasSuffix(", …") } == true)
    }

    @Test("A page of a list has no more than 100,000 items")
    func longest() throws {
        let first = #"{"id": 1, "image": "1.jpg"}"#
        let rest = String(repeating: "0, ", count: 99_998)
        let page = try Self.page(
            "[\(first), \(rest) {\"id\": 2, \"image\": \"1.jpg\"}, {\"id\": 3, \"image\": \"1.jpg\"}]")
        #expect(page.items.map(\.id) == ["1", "2"])
    }

    @Test(
        "A page of a list may be the practice file",
        .enabled(if: Places.shared != nil, "needs captured answers, beside the project"))
    func practice() throws {
        let file = "\(try #require(Places.shared))/lists/cat_api.json"
        let page = try Self.page(String(decoding: contents(file), as: UTF8.self))
        #expect(page.items.count == 20 && page.next == nil)
        #expect(page.items.allSatisfy { !$0.title.isEmpty && $0.picture.best.pathExtension == "jpg" })
        #expect(page.items[0].title == "Mittens" && page.items[0].id == "1")
    }

    @Test("A page of a list may be of each known list, whose name and address are no others")
    func known() {
        let known = PictureList.known
        #expect(known.map(\.name) == known.map(\.name).sorted() && Set(known.map(\.address)).count == known.count)
        #expect(known.allSatisfy { $0.rules[.id] != nil && $0.rules[.picture] != nil })
    }
}
