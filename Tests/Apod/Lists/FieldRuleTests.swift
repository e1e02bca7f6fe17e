import Apod
import Testing

struct FieldRuleTests {
    private static let item = """
        {"id": 7, "title": {"rendered": "Owl"}, "on": true, "none": null, "media:text": "m", "a": {"b": [0, 1, {"c": "x"}]},
        "assets": [
            {"resources": [{"type": "Small", "url": "s"}, {"type": "Large", "url": "l1"}]},
            {"other": 1}, 8, {"resources": [{"type": "Large", "url": "l2"}, {"type": "Largest", "url": "l3"}]}
        ]}
        """

    private static let rules: [(rule: String, texts: [String])] = [
        ("id", ["7"]), ("title", ["Owl"]), ("title.rendered", ["Owl"]), ("media:text", ["m"]), ("a.b[2].c", ["x"]),
        ("a.b[]", ["0", "1"]), ("a.b[1]", ["1"]), ("a.b[3]", []), ("a.b[99999999999999999]", []), ("a.b", []),
        ("a.c", []), ("on", []), ("none", []), ("id.b", []), ("id[]", []), ("[].id", []),
        ("assets[].resources[type=Large].url", ["l1", "l2"]), ("assets[0].resources[].url", ["s", "l1"]),
        ("assets[].resources[type=Large*].url", ["l1", "l2", "l3"]), ("assets[].resources[type=].url", []),
        ("assets[].resources[type=*].type", ["Small", "Large", "Large", "Largest"]), ("assets[other=1].other", ["1"]),
        ("{id}", ["7"]), ("https://a.example/{YYYY}/{MM}-{DD}/{id}.jpg", ["https://a.example/1994/05-25/7.jpg"]),
        ("{title} ({assets[].resources[type=Large].url})", ["Owl (l1)"]), ("{id}{none}", []), ("x{nothing}", []),
    ]

    @Test("A field of a list is found by a path, or put together", arguments: rules.indices)
    func texts(index: Int) throws {
        let (text, texts) = Self.rules[index]
        let members = try #require(try JSONText(Array(Self.item.utf8)).members)
        let rule = try #require(FieldRule(text))
        #expect(rule.description == text && (rule.path == nil) == text.contains("{"))
        #expect(rule.texts(in: members, date: "1994-05-25") == texts)
    }

    @Test("A field of a list has no part of a date where there is none")
    func undated() throws {
        for text in ["{YYYY}", "{MM}", "{DD}"] { #expect(FieldRule(text)?.texts(in: [:], date: nil) == []) }
    }

    @Test("A field of a list can be in an array that has no name")
    func outermost() throws {
        let json = try JSONText(Array(#"[{"n": 1}, {"items": [{"n": 2}, {"n": 3}]}]"#.utf8))
        func values(_ path: String) -> [String]? { JSONPath(path)?.values(in: json).map(\.text) }
        #expect(values("[1].items[].n") == ["2", "3"] && values("[].n") == ["1"] && values("n") == [])
    }

    @Test(
        "Any other text is no field of a list",
        arguments: [
            "", ".", "a.", ".a", "a..b", "a[", "a]", "a[b", "a[-1]", "a[+1]", "a[x]", "a[=x]", "a[0]b", "a.[0]", "[]]",
            "{", "}", "{}", "{a", "a}", "{a}}", "}{a}", "a}b}", "{{a}}", "{a.}", "a/b", "https://a.example/x.jpg",
        ])
    func refused(text: String) {
        #expect(FieldRule(text) == nil)
    }
}
