/// What holds whatever the program does.
extension DiskRecord {
    /// Where a power cut would show something that it must not show; empty when all is well. What one thread commits
    /// says nothing of what another one is about.
    package var breaches: [String] {
        var breaches: [String] = []
        /// Files whose bytes may not be on the disk, and folders whose names may not be, with the thread that did it.
        var files: [String: String] = [:]
        var folders: [String: String] = [:]
        for step in steps where !Self.isMemory(step.path) {
            if !step.folders.isEmpty {
                let isUnsafe = files.removeValue(forKey: step.path) != nil && step.kind != .remove
                if isUnsafe { breaches.append("\(step): its bytes are not on the disk") }
                if step.isSeen, files[Self.log] == step.thread { breaches.append("\(step): in the middle of a commit") }
                for folder in step.folders.filter(Self.isSeen) { folders[folder] = step.thread }
            } else if step.kind != .sync {
                if step.isSeen { breaches.append("\(step): under its final name") }
                // All of the log is in the catalog when SQLite empties it.
                files[step.path] = step.kind == .shorten && step.path == Self.log ? nil : step.thread
            } else {
                let early = step.path == Self.log ? folders.filter { $0.value == step.thread }.keys.sorted() : []
                breaches += early.map { "a commit: the names in \($0) are not on the disk" }
                files[step.path] = nil
                folders[step.path] = nil
            }
        }
        breaches += folders.keys.sorted().map { "the end: the names in \($0) are not on the disk" }
        return breaches + (files[Self.log] == nil ? [] : ["the end: not all is committed"])
    }

    /// What is the mirror's own may be half done: it is looked through at the next start.
    fileprivate static func isSeen(_ path: String) -> Bool { path != own && !path.hasPrefix(own + "/") }

    private static let own = ".apod-mirror"
    private static let log = "\(own)/catalog.sqlite-wal"
}

extension DiskStep {
    fileprivate var isSeen: Bool { DiskRecord.isSeen(newPath ?? path) }
}

/// What is told of it.
extension DiskRecord {
    /// In words that are the same each time: without what names have by chance, and with a commit as one step.
    package var story: [String] {
        var story: [String] = []
        for step in steps where !Self.isMemory(step.path) {
            var line = "\(step)".replacing("\(Self.own)/unfinished/", with: "unfinished/")
                .replacing(#/[0-9a-f]{10,16}/#, with: "#")
            if Self.isCatalog(step.path), step.kind != .rename {
                if step.kind != .sync || step.path != Self.log { continue }
                line = "commit"
            }
            // After the first commit, SQLite brings the name of its log to the disk.
            if story.last == "commit", line == "sync \(Self.own)" { continue }
            if story.last != line { story.append(line) }
        }
        return story
    }

    private static func isCatalog(_ path: String) -> Bool {
        ["", "-wal", "-journal"].contains { path == "\(own)/catalog.sqlite\($0)" }
    }

    /// It is made anew after a power cut.
    private static func isMemory(_ path: String) -> Bool { path.hasPrefix("\(own)/catalog.sqlite-shm") }
}
