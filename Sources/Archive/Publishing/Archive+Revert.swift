package import Apod
internal import Catalog
internal import Concurrency
internal import Files

/// Swaps a day, its texts and files, with the version that was replaced last.
extension Archive {
    package enum Reverted: Sendable, Equatable {
        case done
        /// Nothing of the day was replaced but what was damaged.
        case nothing
        /// The former version's file at this path is damaged.
        case damaged(path: String)
        case absent
    }

    private enum Former {
        case whole(StagedDay, ReplacedFiles.Version)
        case damaged(path: String)
    }

    /// Holds the day's lock.
    package func revert(_ day: Day, at now: Int) async throws -> Reverted {
        try await dayLocks.lock(day)
        defer { dayLocks.unlock(day) }
        let found = try await blocking { [self] () throws(ArchiveError) in
            try tree.wrapping(month: day.folder) { () throws(StorageError) in try former(day, at: now) }
        }
        switch found {
        case nil: return try catalog.status(of: day)?.whole == nil ? .absent : .nothing
        case .damaged(let path): return .damaged(path: path)
        case .whole(let former, let version):
            try await add(former)
            try await blocking { [self] () throws(StorageError) in
                try ReplacedFiles(in: tree.own).remove([version])
            }
            countReplaced()
            return .done
        }
    }

    private func former(_ day: Day, at now: Int) throws(StorageError) -> Former? {
        guard let stored = try catalog.status(of: day)?.whole,
            let month = try Tree.existingFolder(of: day, in: tree.root)
        else { return nil }
        let replaced = ReplacedFiles(in: tree.own)
        for version in try replaced.versions(of: { $0 == day })[day, default: []].reversed() where version.isCorrection
        {
            guard let former = try replaced.former(version), let picture = rebuild.read(former.record) else {
                continue
            }
            var staged: [String: Staged] = [:]
            var files: [StoredFile] = []
            for file in former.files {
                let suffix = file.type.suffix
                if let entry = version.files[suffix], !entry.isDamaged {
                    guard try replaced.digest(of: entry) == file.sha256 else {
                        for file in staged.values { file.discard() }
                        return .damaged(path: "\(ReplacedFiles.path)/\(entry.name)")
                    }
                    staged[suffix] = try replaced.staged(entry, in: tree.unfinished, as: "\(day) back.\(suffix)")
                    files.append(file)
                } else if try month.has(file, as: stored.name, byContent: true) {
                    files.append(file)
                }
            }
            // Where the former version has nothing to look at, the files that are here stay.
            if files.main == nil {
                files += stored.files.filter { file in
                    !files.contains { $0.role == file.role || $0.type.suffix == file.type.suffix }
                }
            }
            return .whole(back(files, staged, former, picture, stored, in: month, at: now), version)
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
        if let content = stored.content ?? kept?.picture.content { aside.insert(content) }
        aside.subtract(files.map(\.sha256) + [picture.content])
        let metadata = Metadata(
            name: stored.name, picture: picture, files: files, downgraded: former.downgraded, fetched: former.fetched,
            setAside: aside)
        let state: DayStatus.State = files.isEmpty ? .placeholder : former.downgraded ? .downgraded : .mirrored
        return StagedDay(
            metadata, staged: staged, status: DayStatus(day: picture.day, state: state),
            damaged: Set(damaged.map(\.type)), moment: now)
    }
}
