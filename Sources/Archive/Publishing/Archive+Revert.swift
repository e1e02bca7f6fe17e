package import Apod
internal import Catalog
internal import Concurrency
internal import Files

/// Swaps a day's files with the version that was replaced last.
extension Archive {
    package enum Reverted: Sendable {
        case done
        /// No version of the day was replaced, or none is intact.
        case nothing
        case absent
    }

    /// Holds the day's lock.
    package func revert(_ day: Day, at now: Int) async throws -> Reverted {
        try await dayLocks.lock(day)
        defer { dayLocks.unlock(day) }
        let found = try await blocking { [self] () throws(ArchiveError) in
            try tree.wrapping(month: day.folder) { () throws(StorageError) in try former(day, at: now) }
        }
        guard let found else { return try catalog.status(of: day)?.whole == nil ? .absent : .nothing }
        try await add(found.day)
        try await blocking { [self] () throws(StorageError) in
            try ReplacedFiles(in: tree.own).remove([found.version])
        }
        countReplaced()
        return .done
    }

    private func former(
        _ day: Day, at now: Int
    ) throws(StorageError) -> (day: StagedDay, version: ReplacedFiles.Version)? {
        guard let stored = try catalog.status(of: day)?.whole,
            let month = try Tree.existingFolder(of: day, in: tree.root)
        else { return nil }
        let replaced = ReplacedFiles(in: tree.own)
        for version in try replaced.versions(of: { $0 == day })[day, default: []].reversed() where version.isCorrection
        {
            guard let document = try replaced.document(of: version),
                let former = DayDocument(document, name: stored.name), let picture = rebuild.read(former.record)
            else { continue }
            var staged: [String: Staged] = [:]
            var files: [StoredFile] = []
            for file in former.files {
                let suffix = file.type.suffix
                if let entry = version.files[suffix], !entry.isDamaged, try replaced.digest(of: entry) == file.sha256 {
                    staged[suffix] = try replaced.staged(entry, in: tree.unfinished, as: "\(day) back.\(suffix)")
                    files.append(file)
                } else if try month.has(file, as: stored.name, byContent: true) {
                    files.append(file)
                }
            }
            guard !staged.isEmpty, files.main != nil else {
                for file in staged.values { file.discard() }
                continue
            }
            return (back(files, staged, former, picture, stored, in: month, at: now), version)
        }
        return nil
    }

    private func back(
        _ files: [StoredFile], _ staged: [String: Staged], _ former: DayDocument, _ picture: Picture,
        _ stored: StoredDay, in month: Folder, at now: Int
    ) -> StagedDay {
        let leaving = stored.files.filter { file in !files.contains { $0.sha256 == file.sha256 } }
        let damaged = leaving.filter { ((try? month.has($0, as: stored.name, byContent: true)) ?? false) == false }
        let kept = (try? rebuild.kept(stored.name)) ?? nil
        var aside = (kept?.document.setAside ?? []).union(leaving.map(\.sha256))
        // A record that shows the restored file is not set aside: its texts are newer.
        let shown = kept?.picture.media.addresses ?? []
        let isOfOthers = !files.contains { shown.contains($0.address) }
        if isOfOthers, let content = stored.content ?? kept?.picture.content { aside.insert(content) }
        aside.subtract(files.map(\.sha256) + [picture.content])
        let metadata = Metadata(
            name: stored.name, picture: picture, files: files, downgraded: former.downgraded, fetched: former.fetched,
            setAside: aside)
        let state: DayStatus.State = former.downgraded ? .downgraded : .mirrored
        return StagedDay(
            metadata, staged: staged, status: DayStatus(day: picture.day, state: state),
            damaged: Set(damaged.map(\.type)), moment: now)
    }
}
