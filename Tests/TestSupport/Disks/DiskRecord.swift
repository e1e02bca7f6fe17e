/// What a program did on the disk, in the order in which it did it, written down by strace.
package struct DiskRecord: Sendable {
    /// A call that changed something below the mirror's root, or that waited until it was on the disk.
    private struct Step: CustomStringConvertible {
        let verb: String
        /// One, or the old and the new; the root is `.`.
        let paths: [String]
        let thread: Substring

        var description: String { "\(verb) \(paths.joined(separator: " → "))" }
        var isOfBytes: Bool { DiskRecord.ofBytes.contains(verb) }
        /// What is the mirror's own may be half done: it is looked through at the next start.
        var isSeen: Bool { DiskRecord.isSeen(paths.last!) }
        /// The folders in which it changes names.
        var folders: [String] {
            isOfBytes ? [] : (verb == "link" ? [paths[1]] : paths).map { DiskRecord.folder(of: $0) }
        }
    }

    private let steps: [Step]

    package static let strace = "/usr/bin/strace"

    /// Some machines lack the program, or let nobody look at another program.
    package static func isPossible() async -> Bool {
        (try? await Program.run(strace, words(file: "/dev/null", killing: nil) + ["/bin/true"]))?.status == 0
    }

    /// A write also stands for the time of a file.
    private static let verbs = [
        "write": "write", "pwrite64": "write", "writev": "write", "utimensat": "write", "ftruncate": "shorten",
        "fsync": "sync", "fdatasync": "sync", "mkdir": "make", "mkdirat": "make", "symlinkat": "symlink",
        "linkat": "link", "rename": "rename", "renameat": "rename", "renameat2": "rename", "unlink": "remove",
        "unlinkat": "remove",
    ]

    private static let ofBytes: Set = ["write", "shorten", "sync"]

    /// What goes before the program and its arguments; each line of the file will be about one call. The program is
    /// killed when one of its threads begins this call for so many times.
    package static func words(file: String, killing: (call: String, time: Int)?) -> [String] {
        // The filter makes it quick, and is of no use with what is injected (strace 6.1).
        let kill = killing.map { ["-e", "inject=\($0.call):signal=KILL:when=\($0.time)"] } ?? ["--seccomp-bpf"]
        // Not all machines have each of them.
        let traced = verbs.keys.map { "?\($0)" } + (killing.map { [$0.call] } ?? [])
        let options = ["-f", "-y", "-qq", "-s", "0", "-o", file, "-e", "signal=none"]
        return options + ["-e", "trace=\(traced.joined(separator: ","))"] + kill
    }

    package init(reading file: String, below root: String) throws {
        var open: [Substring: (text: Substring, place: Int)] = [:]
        var found: [(step: Step, place: Int)] = []
        for (place, line) in try fileText(file).split(separator: "\n").enumerated() {
            let thread = line.prefix { $0 != " " }
            var (text, begin) = (line.dropFirst(thread.count).drop { $0 == " " }, place)
            if let range = text.firstRange(of: " <unfinished ...>") {
                open[thread] = (text[..<range.lowerBound], place)
                continue
            }
            if text.hasPrefix("<... "), let range = text.firstRange(of: " resumed>") {
                guard let begun = open.removeValue(forKey: thread) else { continue }
                (text, begin) = (begun.text + text[range.upperBound...], begun.place)
            }
            guard let step = Self.step(text, thread, below: root) else { continue }
            // A name changes when the call begins at the earliest; bytes are there when it has ended at the latest.
            found.append((step, step.isOfBytes ? place : begin))
        }
        steps = found.sorted { $0.place < $1.place }.map(\.step)
    }

    /// From `renameat(3</a>, "x", 4</b>, "y") = 0`; nil for what failed, or is about something outside of the root.
    private static func step(_ text: Substring, _ thread: Substring, below root: String) -> Step? {
        guard let end = text.firstRange(of: #/\) += \d.*/#), let verb = verbs[String(text.prefix { $0 != "(" })] else {
            return nil
        }
        let call = text[..<end.lowerBound]
        var (folder, paths): (String, [String]) = ("", [])
        // Behind a file come its bytes or its time.
        for match in call.matches(of: #/<(/[^>]*)>|"([^"]*)"/#).prefix(Self.ofBytes.contains(verb) ? 1 : .max) {
            if let path = match.1 {
                folder = String(path)
                paths.append(folder)
            } else if let name = match.2 {
                // The folder before a name is no path of its own.
                if !folder.isEmpty { paths.removeLast() }
                paths.append(name.hasPrefix("/") ? String(name) : "\(folder)/\(name)")
                folder = ""
            }
        }
        let own = (verb == "symlink" ? paths.suffix(1) : paths[...]).map { path in
            path == root ? "." : path.hasPrefix("\(root)/") ? String(path.dropFirst(root.count + 1)) : nil
        }
        guard !own.isEmpty, !own.contains(nil) else { return nil }
        let isExchange = call.contains("RENAME_EXCHANGE")
        return Step(verb: isExchange ? "exchange" : verb, paths: own.compactMap(\.self), thread: thread)
    }
}

extension DiskRecord {
    /// Where a power cut would show something that it must not show; empty when all is well. What one thread commits
    /// says nothing of what another one is about.
    package var breaches: [String] {
        var breaches: [String] = []
        /// Files whose bytes may not be on the disk, and folders whose names may not be, with the thread that did it.
        var files: [String: Substring] = [:]
        var folders: [String: Substring] = [:]
        for step in told {
            let path = step.paths[0]
            if !step.isOfBytes {
                let isUnsafe = files.removeValue(forKey: path) != nil && step.verb != "remove"
                if isUnsafe { breaches.append("\(step): its bytes are not on the disk") }
                if step.isSeen, files[Self.log] == step.thread { breaches.append("\(step): in the middle of a commit") }
                for folder in step.folders.filter(Self.isSeen) { folders[folder] = step.thread }
            } else if step.verb != "sync" {
                if step.isSeen { breaches.append("\(step): under its final name") }
                // All of the log is in the catalog when SQLite empties it.
                files[path] = step.verb == "shorten" && path == Self.log ? nil : step.thread
            } else {
                let early = path == Self.log ? folders.filter { $0.value == step.thread }.keys.sorted() : []
                breaches += early.map { "a commit: the names in \($0) are not on the disk" }
                (files[path], folders[path]) = (nil, nil)
            }
        }
        breaches += folders.keys.sorted().map { "the end: the names in \($0) are not on the disk" }
        return breaches + (files[Self.log] == nil ? [] : ["the end: not all is committed"])
    }

    /// In words that are the same each time: without what names have by chance, and with a commit as one step.
    package var story: [String] {
        var story: [String] = []
        for step in told {
            var line = "\(step)".replacing("\(Self.own)/unfinished/", with: "unfinished/")
                .replacing(#/[0-9a-f]{10,16}/#, with: "#")
            if ["", "-wal", "-journal"].contains(where: { step.paths == ["\(Self.own)/catalog.sqlite\($0)"] }) {
                if step.verb != "sync" || step.paths != [Self.log] { continue }
                line = "commit"
            }
            // After the first commit, SQLite brings the name of its log to the disk.
            if story.last == "commit", line == "sync \(Self.own)" { continue }
            if story.last != line { story.append(line) }
        }
        return story
    }

    /// All but what is made anew after a power cut.
    private var told: [Step] { steps.filter { !$0.paths[0].hasPrefix("\(Self.own)/catalog.sqlite-shm") } }

    fileprivate static func isSeen(_ path: String) -> Bool { path != own && !path.hasPrefix(own + "/") }

    fileprivate static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private static let own = ".apod-mirror"
    private static let log = "\(own)/catalog.sqlite-wal"
}
