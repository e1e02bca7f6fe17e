import Apod
import Testing

struct FieldRuleTests {
    private static let item = """
        {"id": 7, "title": {"rendered": "Owl"}, "on": true, "media:text": "m", "a": {"b": [0, 1, {"c": "x"}]},
        "assets": [
            {"r": [{"type": "Small", "url": "s"}, {"type": "Large", "url": "l1"}]}, {"other": 1}, 8,
            {"r": [{"type": "Large", "url": "l2"}, {"type": "Largest", "url": "l3"}]}
        ]}
        """

    @Test(
        "A field of a list is found by a path, or put together",
        arguments: [
            ("title", "Owl"), ("media:text", "m"), ("a.b[2].c", "x"),
            ("a.b[]", "0 1"), ("assets[].r[type=Large].url", "l1 l2"), ("assets[0].r[].url", "s l1"),
            ("assets[].r[type=Large*].url", "l1 l2 l3"), ("assets[other=1].other", "1"), ("{id}", "7"),
            ("https://a.example/{YYYY}/{MM}-{DD}/{id}.jpg", "https://a.example/1994/05-25/7.jpg"),
            ("{title}({assets[].r[type=Large].url})", "Owl(l1)"),
        ]
            + [
                "a.b[3]", "a.b[99999999999999999]", "a.b", "on", "none", "id.b", "id[]", "[].id",
                "assets[].r[type=].url", "{id}{none}", "x{nothing}",
            ].map { ($0, "") })
    func texts(text: String, texts: String) throws {
        let members = try #require(try JSONText(Self.item.bytes).members)
        let rule = try #require(FieldRule(text))
        #expect(rule.description == text && (rule.path == nil) == text.contains("{"))
        #expect(rule.texts(in: members, date: "1994-05-25").joined(separator: " ") == texts)
        if text.contains("{MM}") { #expect(rule.texts(in: members, date: nil) == []) }
        let json = try JSONText(#"[{"n": 1}, {"items": [{"n": 2}, {"n": 3}]}]"#.bytes)
        #expect(JSONPath("[1].items[].n")?.values(in: json).map(\.text) == ["2", "3"])
    }

    @Test(
        "Any other text is no field of a list",
        arguments: [
            "", "a.", ".a", "a[", "a]", "a[-1]", "a[=x]", "a[0]b", "a.[0]", "{", "}", "{}", "{{a}}", "{a.}", "a/b",
        ])
    func refused(text: String) { #expect(FieldRule(text) == nil) }
}
