import Apod
import Archive
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

/// The upstream's real answers, where they stand beside the project, mirrored as if they came from here.
@Suite("Captured answers", .enabled(if: Places.shared.map { access("\($0)/upstream/v2", R_OK) == 0 } ?? false))
struct CapturedMirrorTests {
    private static let files = [
        "single-150603", "range-150603-150604", "list-per_page2-151019-151018", "single-260913-video-mp4",
        "single-261002-large-png",
    ]

    /// Each day's record, with the pictures' addresses as they are.
    private func records() throws -> [Day: String] {
        var records: [Day: String] = [:]
        for file in Self.files {
            let json = try JSONText(contents("\(Places.shared!)/upstream/v2/\(file).json"))
            for record in json.elements ?? [json] { records[Day(record["date"]!.string!)!] = record.text }
        }
        return records
    }

    private func testMirror() throws -> (TestMirror, [Day: String]) {
        let testMirror = try TestMirror([])
        let origin = testMirror.nasa.origin
        let records = try records().mapValues { text in
            text.replacing("https://assets.science.nasa.gov", with: origin)
                .replacing("https:\\/\\/assets.science.nasa.gov", with: origin)
        }
        testMirror.nasa.intercept = { request in
            if request.path.hasPrefix("/content/") { return Self.media(request) }
            if let record = records.first(where: { request.path.hasSuffix("/\($0.key.compact)") }) {
                return .json(record.value)
            }
            guard request.path == FakeNASA.base else { return nil }
            let days = records.keys.sorted(by: >).filter {
                request["date_from"]! <= $0.compact && $0.compact <= request["date_to"]!
            }
            return .json("[" + days.map { records[$0]! }.joined(separator: ",") + "]")
        }
        return (testMirror, records)
    }

    private static func media(_ request: Request) -> Response {
        switch request.path.suffix(4) {
        case ".mp4": .media(Pictures.mp4(), type: "video/mp4")
        case ".png": .media(Pictures.png(width: 1080, height: 1350), type: "image/png")
        default: .media(Pictures.jpeg(width: 1024, height: 1024), type: "image/jpeg")
        }
    }

    @Test("become the tree that they should")
    func tree() async throws {
        let (testMirror, records) = try testMirror()
        let events = try await testMirror.sync(.days(Set(records.keys)))
        #expect(Set(events.words) == Set(records.keys.map { "\($0) mirrored" }))
        #expect(
            testMirror.tree.filter { $0.hasPrefix("2") && !$0.hasSuffix("/") && !$0.hasSuffix(".json") }
                .map { "\($0.dropFirst(8).prefix(10))\($0.suffix(4))" } == [
                    "2015-06-03.jpg", "2015-06-04.jpg", "2015-10-18.jpg", "2015-10-19.jpg", "2026-09-13.mp4",
                    "2026-09-13.png", "2026-10-02.png",
                ])
        #expect(testMirror.fileRequests.allSatisfy { $0.hasPrefix("/content/") })
        for (day, record) in records { #expect(try testMirror.json(day)["upstream"]?.text == record) }
        try await testMirror.audit()
        let again = try await testMirror.sync(.days(Set(records.keys)))
        #expect(Set(again.words) == Set(records.keys.map { "\($0) unchanged" }))
    }
}
