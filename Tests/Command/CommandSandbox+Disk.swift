import TestSupport

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
}
