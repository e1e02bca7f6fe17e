import HTTP
import TestSupport
import Testing

struct DeliveryTests {
    private static let modified = 784_111_777
    private static let date = "Sun, 06 Nov 1994 08:49:3"

    @Test(
        "What is sent of an answer follows the conditions and the range of the request",
        arguments: [
            (.whole, ["", "if-none-match=abc", "if-modified-since=\(date)6 GMT", "if-modified-since=yesterday"]),
            (
                .unchanged,
                [
                    "if-none-match=\"abc\"", "if-none-match=W/\"abc\", \"x\"", "if-none-match=*",
                    "if-modified-since=\(date)7 GMT", "if-none-match=\"abc\"|range=bytes=0-1",
                ]
            ),
            // If-None-Match counts alone.
            (.whole, ["if-none-match=\"x\"|if-modified-since=\(date)7 GMT"]), (.part(0..<1), ["range=bytes=0-0"]),
            (.part(990..<1000), ["range=bytes=990-5000", "range=bytes=-10"]), (.notSatisfiable, ["range=bytes=1000-"]),
            (
                .whole,
                ["0-1,5-6", "+1-2", "--5", "0x1-0x2", "1-2-3", "٣-٤", ""].map { "range=bytes=\($0)" }
                    + ["range=bytes", "range=lines=0-1"]
            ),
            (.part(0..<2), ["\"abc\"", "\(date)7 GMT"].map { "range=bytes=0-1|if-range=\($0)" }),
            (.whole, ["\"x\"", "W/\"abc\"", "\(date)8 GMT"].map { "range=bytes=0-1|if-range=\($0)" }),
        ] as [(Delivery, [String])])
    func follows(delivery: Delivery, requests: [String]) throws {
        let response = Response(
            type: "text/plain", body: .bytes(nulls(1000)), entityTag: "abc",
            modified: Self.modified)
        for text in requests {
            let fields = text.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            let headers = Dictionary(uniqueKeysWithValues: fields.map { ($0[0], $0.count > 1 ? $0[1] : "") })
            for (method, expected) in [
                ("GET", delivery), ("HEAD", delivery == .unchanged ? .unchanged : .whole), ("POST", .whole),
            ] {
                let request = try Request(method, "/", headers: headers)
                #expect(Delivery(of: response, to: request) == expected, "\(method) \(text)")
            }
        }
        let ranged = try Request("GET", "/", headers: ["range": "bytes=0-"])
        #expect(Delivery(of: Response(type: "text/plain", body: .bytes([])), to: ranged) == .notSatisfiable)
        #expect(Delivery(of: .refusal(404, "no"), to: ranged) == .whole)
    }

    @Test("A date is read as it is written", arguments: [0, modified, 4_102_444_800])
    func dates(_ moment: Int) {
        #expect(HTTPDate.seconds(HTTPDate.text(moment)) == moment)
        #expect(HTTPDate.text(Self.modified) == "\(Self.date)7 GMT")
    }
}
