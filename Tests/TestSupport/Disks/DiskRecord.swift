/// What a program did on the disk, in the order in which it did it, written down by strace.
package struct DiskRecord: Sendable {
    package let steps: [DiskStep]

    package static let strace = "/usr/bin/strace"

    /// Some machines lack the program, or let nobody look at another program.
    package static func isPossible() async -> Bool {
        let words = words(file: "/dev/null", killing: nil) + ["/bin/true"]
        return (try? await Program.run(strace, words))?.status == 0
    }

    /// A `?` before those that not all machines have.
    private static let calls = [
        "write", "pwrite64", "writev", "ftruncate", "utimensat", "fsync", "fdatasync", "?mkdir", "mkdirat", "symlinkat",
        "linkat", "?rename", "?renameat", "renameat2", "?unlink", "unlinkat",
    ]

    /// What goes before the program and its arguments; each line of the file will be about one call. The program is
    /// killed when one of its threads begins this call for so many times.
    package static func words(file: String, killing: (call: String, time: Int)?) -> [String] {
        // The filter makes it quick, and is of no use with what is injected (strace 6.1).
        let kill = killing.map { ["-e", "inject=\($0.call):signal=KILL:when=\($0.time)"] } ?? ["--seccomp-bpf"]
        let traced = (calls + (killing.map { [$0.call] } ?? [])).joined(separator: ",")
        return ["-f", "-y", "-qq", "-s", "0", "-o", file, "-e", "signal=none", "-e", "trace=\(traced)"] + kill
    }

    package init(reading file: String, below root: String) throws {
        let lines = try fileText(file).split(separator: "\n")
        var open: [Substring: (text: String, place: Int)] = [:]
        var found: [(step: DiskStep, place: Int)] = []
        for (place, line) in lines.enumerated() {
            let thread = line.prefix { $0 != " " }
            var (text, begin) = (String(line.dropFirst(thread.count).drop { $0 == " " }), place)
            if let range = text.firstRange(of: " <unfinished ...>") {
                open[thread] = (String(text[..<range.lowerBound]), place)
                continue
            }
            if text.hasPrefix("<... "), let range = text.firstRange(of: " resumed>") {
                guard let begun = open.removeValue(forKey: thread) else { continue }
                (text, begin) = (begun.text + text[range.upperBound...], begun.place)
            }
            guard let step = DiskCall(text).flatMap({ DiskStep($0, by: String(thread), below: root) }) else { continue }
            // A name changes when the call begins at the earliest; bytes are there when it has ended at the latest.
            found.append((step, step.folders.isEmpty ? place : begin))
        }
        steps = found.sorted { $0.place < $1.place }.map(\.step)
    }
}
