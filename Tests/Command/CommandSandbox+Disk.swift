import TestSupport
import Testing

extension CommandSandbox {
    /// What a command did on the disk. It may be killed at a call.
    func recorded(
        _ words: [String], killing: (call: String, time: Int)? = nil, below top: String? = nil
    ) async throws -> (outcome: Program.Outcome, record: DiskRecord) {
        let file = folder.appending("strace.log")
        let outcome = try await Program.run(
            DiskRecord.strace, DiskRecord.words(file: file, killing: killing) + [Self.program] + self.words(words),
            environment: environment(with: words))
        return (outcome, try DiskRecord(reading: file, below: top ?? root))
    }

    /// What a command did that has done all; nothing that a power cut could show.
    @discardableResult
    func steps(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        let (outcome, record) = try await recorded(words)
        outcome.succeeds(sourceLocation: sourceLocation)
        #expect(record.breaches == [], sourceLocation: sourceLocation)
        return record.story
    }
}
