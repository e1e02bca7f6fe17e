import HTTP
import Testing

struct DeliveryTests {
    private static let size = 1000
    private static let modified = 784_111_777

    struct Case: Sendable, CustomTestStringConvertible {
        let headers: [String: String]
        let delivery: Delivery
        var method = "GET"
        var testDescription: String { "\(method) \(headers)" }
    }

    @Test(
        "What is sent of an answer follows the conditions and the range of the request",
        arguments: [
            Case(headers: [:], delivery: .whole),
            Case(headers: ["if-none-match": "\"abc\""], delivery: .unchanged),
            Case(headers: ["if-none-match": "W/\"abc\", \"x\""], delivery: .unchanged, method: "HEAD"),
            Case(headers: ["if-none-match": "*"], delivery: .unchanged),
            Case(headers: ["if-none-match": "abc"], delivery: .whole),
            Case(headers: ["if-none-match": "\"abc\""], delivery: .whole, method: "POST"),
            Case(headers: ["if-modified-since": "Sun, 06 Nov 1994 08:49:37 GMT"], delivery: .unchanged),
            Case(headers: ["if-modified-since": "Sun, 06 Nov 1994 08:49:36 GMT"], delivery: .whole),
            Case(headers: ["if-modified-since": "yesterday"], delivery: .whole),
            // If-None-Match counts alone.
            Case(
                headers: ["if-none-match": "\"x\"", "if-modified-since": "Sun, 06 Nov 1994 08:49:37 GMT"],
                delivery: .whole),
            Case(headers: ["if-none-match": "\"abc\"", "range": "bytes=0-1"], delivery: .unchanged),
            Case(headers: ["range": "bytes=0-0"], delivery: .part(0..<1)),
            Case(headers: ["range": "bytes=0-0"], delivery: .whole, method: "HEAD"),
            Case(headers: ["range": "bytes=990-"], delivery: .part(990..<1000)),
            Case(headers: ["range": "bytes=990-1000"], delivery: .part(990..<1000)),
            Case(headers: ["range": "bytes=990-5000"], delivery: .part(990..<1000)),
            Case(headers: ["range": "bytes=990-99999999999999999999"], delivery: .part(990..<1000)),
            Case(headers: ["range": "bytes=-10"], delivery: .part(990..<1000)),
            Case(headers: ["range": "bytes=-5000"], delivery: .part(0..<1000)),
            Case(headers: ["range": "bytes=-99999999999999999999"], delivery: .part(0..<1000)),
            Case(headers: ["range": "bytes=-0"], delivery: .notSatisfiable),
            Case(headers: ["range": "bytes=1000-"], delivery: .notSatisfiable),
            Case(headers: ["range": "bytes=99999999999999999999-"], delivery: .notSatisfiable),
            Case(headers: ["range": "bytes=5-4"], delivery: .whole),
            Case(headers: ["range": "bytes=0-1,5-6"], delivery: .whole),
            Case(headers: ["range": "bytes=-"], delivery: .whole),
            Case(headers: ["range": "bytes=+1-2"], delivery: .whole),
            Case(headers: ["range": "bytes=--5"], delivery: .whole),
            Case(headers: ["range": "bytes=0x1-0x2"], delivery: .whole),
            Case(headers: ["range": "bytes=1-2-3"], delivery: .whole),
            Case(headers: ["range": "bytes=٣-٤"], delivery: .whole),
            Case(headers: ["range": "bytes="], delivery: .whole),
            Case(headers: ["range": "bytes"], delivery: .whole),
            Case(headers: ["range": "lines=0-1"], delivery: .whole),
            Case(headers: ["range": "bytes=0-1", "if-range": "\"abc\""], delivery: .part(0..<2)),
            Case(headers: ["range": "bytes=0-1", "if-range": "\"x\""], delivery: .whole),
            Case(headers: ["range": "bytes=0-1", "if-range": "W/\"abc\""], delivery: .whole),
            Case(
                headers: ["range": "bytes=0-1", "if-range": "Sun, 06 Nov 1994 08:49:37 GMT"], delivery: .part(0..<2)),
            Case(headers: ["range": "bytes=0-1", "if-range": "Sun, 06 Nov 1994 08:49:38 GMT"], delivery: .whole),
        ])
    func follows(_ known: Case) throws {
        let response = Response(
            type: "text/plain", body: .bytes([UInt8](repeating: 0, count: Self.size)), entityTag: "abc",
            modified: Self.modified)
        #expect(Delivery(of: response, to: try Request(known.method, "/", headers: known.headers)) == known.delivery)
    }

    @Test("What is sent of an answer has no range where nothing is, and none of an error")
    func small() throws {
        let ranged = try Request("GET", "/", headers: ["range": "bytes=0-"])
        #expect(Delivery(of: Response(type: "text/plain", body: .bytes([])), to: ranged) == .notSatisfiable)
        #expect(Delivery(of: .refusal(404, "no"), to: ranged) == .whole)
    }

    @Test("What is sent of an answer writes a date as it reads it", arguments: [0, 784_111_777, 4_102_444_800])
    func date(_ moment: Int) {
        #expect(HTTPDate.seconds(HTTPDate.text(moment)) == moment)
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
