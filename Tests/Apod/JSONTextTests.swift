import Apod
import Testing

struct JSONTextTests {
    private static func json(_ text: String) throws -> JSONText { try JSONText(text.bytes) }

    @Test(
        "JSON that is kept is kept exactly, but for white space around it",
        arguments: [
            "{\"b\" : 1.0e+5,\n \"a\":[ null,true , false]}", #""\u00e9\/\ud83d\ude00""#, "-0", "0.10", "[]", "{}",
            "12345678901234567890123", "\"é\"",
        ])
    func exact(text: String) throws {
        #expect(try Self.json(" \r\n\t\(text)\n").text == text)
        #expect(try JSON.array([.text(Self.json(text))]).line == "[\(text)]")
    }

    @Test(
        "Any other text is no JSON",
        arguments: [
            "", "{", "[1,]", "[1 2]", #"{"a"}"#, #"{"a":}"#, "{a:1}", "\"a", #""\x""#, #""\u12g4""#, "\"\n\"", "01",
            "1.", ".5", "+1", "1e", "-", "tru", "truee", "[1]]", "\u{feff}[]",
            String(repeating: "{\"a\":", count: 100_000),
        ])
    func bad(text: String) { #expect(throws: JSONError.self) { try Self.json(text) } }

    @Test("JSON may be nested to any depth", arguments: [("[", "]"), (#"{"a": "#, "}")], [1, 64, 65, 1_000_000])
    func depth(marks: (String, String), depth: Int) throws {
        let (start, end) = (String(repeating: marks.0, count: depth), String(repeating: marks.1, count: depth))
        #expect(try Self.json("[\(start)1\(end)]").elements?.first?.text == "\(start)1\(end)")
        #expect(throws: JSONError.self) { try Self.json("\(start)1\(end.dropLast())") }
        #expect(try Self.json("\(start)[]\(end)").isTooLarge == (depth > 63))
    }

    @Test(
        "JSON has strings",
        arguments: [
            (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{c}\n\r\t"),
            (#""\u00e9\u4e2d\ud83d\ude00""#, "é中😀"),
            (#""x\ud83dy""#, "x\u{fffd}y"), (#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"), (#""\ud83d\u0041""#, "\u{fffd}A"),
            (#""é😀\u0000\\u0041e\u0301""#, "é😀\u{0}\\u0041e\u{301}"),
        ])
    func strings(text: String, string: String) throws {
        #expect(try Self.json(text).string?.unicodeScalars.elementsEqual(string.unicodeScalars) == true)
        #expect(JSONText(string).string == string)
    }

    @Test("JSON gives what it holds and nil for what it is not")
    func values() throws {
        let object = try Self.json(#"{"a" : 1 , "b":[true,{"c":[ ]},"x"], "d\u0065":null, "a":"\"}"}"#)
        #expect(object.members?.count == 3 && object["a"]?.string == "\"}")
        #expect(object["b"]?.elements?.map(\.text) == ["true", "{\"c\":[ ]}", "\"x\""])
        #expect(object["de"]?.text == "null" && object["none"] == nil)
        #expect(object.elements == nil && object.string == nil && object.integer == nil && object.bool == nil)
        let list = try #require(try Self.json("[-42, 1.5, 99999999999999999999, false, null]").elements)
        #expect(list.map(\.integer) == [-42, nil, nil, nil, nil] && list.map(\.bool) == [nil, nil, nil, false, nil])
        let bytes = "[\"a".bytes + [0xff, 0xe2, 0x82] + "b\"]".bytes
        let string = try #require(try JSONText(bytes).elements?.first?.string)
        #expect(string.hasPrefix("a\u{fffd}") && string.hasSuffix("b"))
    }

    @Test("An array is the same when written in pieces", arguments: 0..<3, [1, 1000])
    func items(count: Int, piece: Int) {
        let items = Array(repeating: JSON.object([("a", .array([.integer(1)]))]), count: count)
        var (document, bytes) = (JSONArrayDocument(), [] as [UInt8])
        for item in items {
            document.append(item)
            bytes += document.take(atLeast: piece) ?? []
        }
        #expect(document.isEmpty == items.isEmpty)
        #expect(bytes + document.finished() == JSON.array(items).document)
    }
}
