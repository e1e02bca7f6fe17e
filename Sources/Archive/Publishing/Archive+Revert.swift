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
        case whole(StagedDay, ReplacedFiles.Told)
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
        case .whole(let former, let told):
            try await add(former)
            try await blocking { [self] () throws(StorageError) in try tree.replaced.remove(told) }
            countReplaced()
            return .done
        }
    }

    private func former(_ day: Day, at now: Int) throws(StorageError) -> Former? {
        guard let stored = try catalog.status(of: day)?.whole,
            let month = try Tree.existingFolder(stored.name.folder, in: tree.root)
        else { return nil }
        let present = try rebuild.document(of: stored.name)
        guard let told = try choice(of: day, beside: present?.document) else { return nil }
        guard let (former, picture) = whole(told) else {
            return .damaged(path: "\(ReplacedFiles.path)/\(told.lost.first?.name ?? told.version.json)")
        }
        return try staged(told, former, picture, stored, present, in: month, at: now)
    }

    /// A version's JSON and record; nil if one of them is damaged, or a file is lost.
    private func whole(_ told: ReplacedFiles.Told) -> (former: DayDocument, picture: Picture)? {
        guard told.lost.isEmpty, let former = told.former,
            let picture = rebuild.read(former.record, told.version.name)
        else { return nil }
        return (former, picture)
    }

    /// Chooses the newest version that was not set aside, or else the one that was set aside first: so `revert`, said
    /// again, leads to older ones and then to the newest. A version that tells nothing else than the day does is passed
    /// over.
    private func choice(of day: Day, beside present: DayDocument?) throws(StorageError) -> ReplacedFiles.Told? {
        let replaced = tree.replaced
        let setAside = present?.setAside ?? []
        var first: ReplacedFiles.Told?
        let versions = try replaced.versions(of: { $0 == day })[day, default: []]
        for told in try replaced.read(versions, beside: present) {
            let version = told.version
            guard let (former, picture) = whole(told) else { return first ?? told }
            if replaced.isSame(version, former, as: present) { continue }
            let files = former.files.filter { version.files[$0.ending] != nil }
            let isSetAside = setAside.contains(picture.content) || files.contains { setAside.contains($0.sha256) }
            if !isSetAside { return told }
            first = told
        }
        return first
    }

    private func staged(
        _ told: ReplacedFiles.Told, _ former: DayDocument, _ picture: Picture, _ stored: StoredDay,
        _ present: (document: DayDocument, picture: Picture)?, in month: Folder, at now: Int
    ) throws(StorageError) -> Former {
        let replaced = tree.replaced
        var staged: [String: Staged] = [:]
        var files: [StoredFile] = []
        for file in former.files {
            if try month.has(file, as: stored.name, byContent: true) {
                files.append(file)
                continue
            }
            guard let entry = told.held[file.sha256] else { continue }
            guard try replaced.has(file, in: entry) else {
                for file in staged.values { file.discard() }
                return .damaged(path: "\(ReplacedFiles.path)/\(entry.name)")
            }
            staged[file.ending] = try replaced.staged(
                entry, in: tree.unfinished, as: "\(stored.name.day) back\(file.ending)")
            files.append(file)
        }
        // Where the former version has nothing to look at, the files that are here stay, and further pictures that it has
        // not always do, as if NASA had dropped them.
        let isEmpty = files.main == nil
        files += stored.files.filter { file in
            (isEmpty || file.role.isFurther)
                && !files.contains { $0.role == file.role || $0.ending == file.ending }
        }.map { $0.with(role: $0.role, address: $0.address, isFormer: $0.isFormer || !isEmpty) }
        return .whole(back(files, staged, former, picture, stored, present, in: month, at: now), told)
    }

    private func back(
        _ files: [StoredFile], _ staged: [String: Staged], _ former: DayDocument, _ picture: Picture,
        _ stored: StoredDay, _ present: (document: DayDocument, picture: Picture)?, in month: Folder, at now: Int
    ) -> StagedDay {
        let leaving = stored.files.filter { file in !files.contains { $0.sha256 == file.sha256 } }
        let damaged = leaving.filter { ((try? month.has($0, as: stored.name, byContent: true)) ?? false) == false }
        var aside = (present?.document.setAside ?? []).union(leaving.map(\.sha256))
        // The JSON's own digest tells the version apart where its record is not parsed (`Replacement`).
        if let present { aside.formUnion([present.picture.content, Digest(of: present.document.bytes)]) }
        aside.subtract(files.map(\.sha256) + [picture.content, Digest(of: former.bytes)])
        let metadata = Metadata(
            name: stored.name, picture: picture,
            files: files.map { file in
                // An address keeps its validators: what the server has there is known, and set aside.
                var file = file
                file.validators = stored.files.first { $0.address == file.address }?.validators
                return file
            }, downgraded: former.downgraded, fetched: former.fetched, setAside: aside)
        let state: DayStatus.State = files.isEmpty ? .placeholder : former.downgraded ? .downgraded : .mirrored
        return StagedDay(
            metadata, staged: staged, status: DayStatus(day: picture.day, state: state),
            damaged: Set(damaged.map(\.ending)), moment: now)
    }
}
