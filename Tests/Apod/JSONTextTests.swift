import Apod
import Testing

struct JSONTextTests {
    private static func json(_ text: String) throws -> JSONText { try JSONText(Array(text.utf8)) }

    @Test(
        "JSON that is kept is kept exactly, but for white space around it",
        arguments: [
            "{\"b\" : 1.0e+5,\n \"a\":[ null,true , false]}", "\"\\u00e9\\/\\ud83d\\ude00\"", "-0", "0.10", "[]", "{}",
            "12345678901234567890123", "\"é\"",
        ])
    func exact(text: String) throws {
        #expect(try Self.json(" \r\n\t\(text)\n").text == text)
        #expect(try JSON.array([.text(Self.json(text))]).line == "[\(text)]")
    }

    @Test(
        "Any other text is no JSON",
        arguments: [
            "", " ", "{", "[1,]", "[1 2]", #"{"a"}"#, #"{"a":}"#, "{a:1}", #"{"a":1,}"#, "'a'", "\"a", #""\x""#,
            #""\u12g4""#, #""\u123""#, "\"\n\"", "\"\u{0}\"", "01", "1.", ".5", "+1", "1e", "-", "NaN", "tru", "truee",
            "1 1", "[1, x]", "<!doctype html>", "[1]]", "\u{feff}[]", #"{"a":1}garbage"#,
        ])
    func bad(text: String) {
        #expect(throws: JSONError.self) { try Self.json(text) }
    }

    @Test("JSON that is kept may be deep, but not absurdly")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try Self.json(nested(64)).elements?.count == 1)
        #expect(throws: JSONError.self) { try Self.json(nested(65)) }
        #expect(throws: JSONError.self) { try Self.json(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test(
        "JSON that is kept has strings",
        arguments: [
            (#""""#, ""), (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{c}\n\r\t"),
            (#""\u00e9\u4e2d""#, "é中"),
            (#""\ud83d\ude00""#, "😀"), (#""x\ud83dy""#, "x\u{fffd}y"), (#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (#""é😀\n""#, "é😀\n"), (#""\u0000""#, "\u{0}"), (#""\\u0041""#, "\\u0041"), (#""e\u0301""#, "e\u{301}"),
        ])
    func strings(text: String, string: String) throws {
        #expect(try Self.json(text).string?.unicodeScalars.elementsEqual(string.unicodeScalars) == true)
    }

    @Test("JSON that is kept gives what it holds and nil for what it is not")
    func values() throws {
        let object = try Self.json(#"{"a" : 1 , "b":[true,{"c":[ ]},"x"], "d\u0065":null, "a":"\"}"}"#)
        #expect(object.members?.count == 3)
        #expect(object["a"]?.string == "\"}")
        #expect(object["b"]?.elements?.map(\.text) == ["true", "{\"c\":[ ]}", "\"x\""])
        #expect(object["b"]?.elements?[1]["c"]?.elements?.isEmpty == true)
        #expect(object["de"]?.text == "null")
        #expect(object["none"] == nil)
        #expect(object.elements == nil && object.string == nil && object.integer == nil && object.bool == nil)
        let list = try #require(try Self.json("[-42, 1.5, 99999999999999999999, false, null]").elements)
        #expect(list.map(\.integer) == [-42, nil, nil, nil, nil] && list.map(\.bool) == [nil, nil, nil, false, nil])
        #expect(try Self.json("[1]").members == nil)
    }

    @Test("JSON that is kept holds U+FFFD for bytes that are no text")
    func invalid() throws {
        let bytes = Array("[\"a".utf8) + [0xff, 0xe2, 0x82] + Array("b\"]".utf8)
        let string = try #require(try JSONText(bytes).elements?.first?.string)
        #expect(string.hasPrefix("a\u{fffd}") && string.hasSuffix("b"))
    }

    @Test(
        "JSON that is kept is what a string becomes",
        arguments: ["", "a\"\\/\n\t\r\u{0}\u{1f}\u{7f}", "é😀\u{2028}</script>", "\\u0041"])
    func ofString(string: String) throws {
        let text = JSONText(string)
        #expect(text.string == string)
        #expect(try JSONText(Array(text.bytes)) == text)
    }
}

struct JSONTests {
    @Test("JSON that is written is the same array when written in pieces", arguments: 0..<3, [1, 40, 1000])
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

    @Test("JSON that is written is compact for programs and indented for people")
    func written() {
        let json = JSON.object([
            ("z", .null), ("a", .array([.integer(-1), .bool(true), .array([]), .object([])])),
            ("é\"", .optional("x" as String?)),
            ("n", .optional(nil as Int?)),
        ])
        #expect(json.line == #"{"z":null,"a":[-1,true,[],{}],"é\"":"x","n":null}"#)
        let document = """
            {
              "z": null,
              "a": [
                -1,
                true,
                [],
                {}
              ],
              "é\\"": "x",
              "n": null
            }

            """
        #expect(String(decoding: json.document, as: UTF8.self) == document)
    }
}
