import Apod
import Files
import TestSupport
import Testing

@testable import Fetching

@Suite("A file that came incomplete")
struct CutTests {
    private static func lengths(_ specimen: Specimen) -> [Int] {
        let count = specimen.bytes.count
        return [1, 15, 16, 17, 29, 100, count / 2, count - 9, count - 2]
    }

    private func response(_ specimen: Specimen, _ framing: Response.Framing, _ ending: Response.Ending) -> Response {
        var response = Response.media(Body(specimen.bytes), type: specimen.type.rawValue)
        response.framing = framing
        response.ending = ending
        return response
    }

    private func reasons(_ specimen: Specimen, _ answer: @escaping @Sendable (Int) -> Response) async throws
        -> [FetchError?]
    {
        let server = try HTTPServer { answer(Int($0.path.dropFirst())!) }
        let bench = try Bench(server) { $0.attempts = 1 }
        var reasons: [FetchError?] = []
        for length in Self.lengths(specimen) {
            reasons.append(await bench.failure("/\(length)", kind: specimen.type.kind))
        }
        return reasons
    }

    /// The server tells no length, or a wrong one: what is missing shows only in the file.
    @Test("is recognised by its missing end", arguments: Specimen.all)
    func noEnd(specimen: Specimen) async throws {
        let closed = try await reasons(specimen) { response(specimen, .untilClose, .close(after: $0)) }
        let declared = try await reasons(specimen) { response(specimen, .declaring($0), .whole) }
        for reasons in [closed, declared] {
            for (length, reason) in zip(Self.lengths(specimen), reasons) {
                let isExpected =
                    length < 16 ? reason?.isWrongType == true || reason?.isCutShort == true : reason?.isCutShort == true
                #expect(isExpected, "cut at \(length): \(reason as Any)")
            }
        }
    }

    @Test("is recognised by its length, chunked or not", arguments: Specimen.all)
    func shortOfLength(specimen: Specimen) async throws {
        let cut = try await reasons(specimen) { response(specimen, .length, .close(after: $0)) }
        let chunked = try await reasons(specimen) { response(specimen, .chunked, .close(after: $0)) }
        let reset = try await reasons(specimen) { response(specimen, .untilClose, .reset(after: $0)) }
        #expect((cut + chunked + reset).allSatisfy { $0?.isConnection == true })
    }

    @Test("is given up in the end, and nothing of it stays")
    func givenUp() async throws {
        let picture = Pictures.jpeg(bytes: 3_000_000)
        let server = try HTTPServer { _ in .jpeg(picture, tag: "a", framing: .declaring(2_000_000)) }
        let bench = try Bench(server)
        let reason = await bench.failure()
        #expect(reason == .cutShort("the jpg has no end"))
        #expect(reason?.isAbsence == true)
        #expect(server.requests.count == 3)
        #expect(try bench.names == [])
    }
}
