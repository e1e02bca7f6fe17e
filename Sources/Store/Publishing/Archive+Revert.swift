package import Apod
import Files

/// Exchanges a day, its texts and files, with the version that was replaced last.
extension Archive {
    package enum Reverted: Sendable, Equatable {
        case done
        /// There is no former version.
        case nothing
        /// The former version's file at this path is damaged or missing.
        case damaged(path: String)
        /// The former version's files were deleted by `keep` or `max-total`.
        case deleted
        case absent
    }

    private enum Former {
        case whole(StagedDay, Version)
        case unusable(Reverted)
    }

    /// Holds the day's lock.
    package func revert(_ day: Day, at now: Int) async throws -> Reverted {
        try await keyLocks.lock(.day(day))
        defer { keyLocks.unlock(.day(day)) }
        let found = try await blocking { [self] in
            try tree.wrapping(month: day.folder) { try former(day, at: now) }
        }
        switch found {
        case .unusable(let why): return why
        case .whole(let former, let version):
            try await add(former)
            try await blocking { [self] in
                try tree.versions.remove(version)
            }
            return .done
        }
    }

    private func former(_ day: Day, at now: Int) throws -> Former {
        guard let stored = try catalog.item(of: .day(day))?.whole,
            let month = try Tree.existingFolder(stored.name.folder, in: tree.root)
        else { return .unusable(.absent) }
        let (name, versions) = (stored.name, tree.versions)
        // One that cannot be read now is an error: what it says is set aside.
        let present = try Document(name, in: month)
        func damaged(_ number: Int, _ file: String) -> Former {
            .unusable(.damaged(path: "\(versions.path(name, number))/\(file)"))
        }
        let newest = try versions.numbers(name).first { $0 != present?.mirror.number }
        if let newest, try versions.read(name, newest) == nil { return damaged(newest, name.with(FileName.json)) }
        let all = try versions.all(name, beside: present)
        guard let version = all.max(by: { $0.mark.replaced < $1.mark.replaced }) else { return .unusable(.nothing) }
        if version.mark.isDeleted { return .unusable(.deleted) }
        for file in version.held where try !versions.has(file, of: version) {
            return damaged(version.number, name.with(file))
        }
        return .whole(try back(version, stored, present, in: month, at: now), version)
    }

    /// The day as the version has it. Files that the version neither held nor replaced stay.
    private func back(
        _ version: Version, _ stored: Item.Stored, _ present: Document?, in month: Folder, at now: Int
    ) throws -> StagedDay {
        var document = version.document
        var staged: [String: Staged] = [:]
        for file in version.held {
            staged[file.ending] = try tree.versions.staged(file, of: version, in: tree.unfinished)
        }
        let here = stored.files
        var files = document.files.filter { file in
            staged[file.ending] != nil || here.contains { $0.sha256 == file.sha256 }
        }
        // Where it has nothing to look at, the files that are here stay, and further pictures that it has not always do, as
        // if NASA had dropped them.
        let isEmpty = files.main == nil
        files += here.filter { file in
            (isEmpty || file.role.isFurther)
                && !files.contains { $0.role == file.role || $0.ending == file.ending }
        }.map { $0.with(role: $0.role, address: $0.address, isFormer: $0.isFormer || !isEmpty) }
        if isEmpty, let present { document.show(present) }
        let leaving = here.filter { file in !files.contains { $0.sha256 == file.sha256 } }
        let damaged = leaving.filter { ((try? month.has($0, as: stored.name, byContent: true)) ?? false) == false }
        if let present {
            document.mirror = document.mirror.back(over: present.mirror)
            document.mirror.setAside.insert(present.digest(by: rebuild.read))
        }
        document.mirror.setAside.formUnion(leaving.map(\.sha256))
        document.mirror.setAside.subtract(files.map(\.sha256) + [version.document.digest(by: rebuild.read)])
        document.mirror.number = version.number
        document.files = files
        // An address keeps its validators: what the server has there is known, and set aside.
        document.borrowValidators { file in here.first { $0.address == file.address } }
        document = try document.rewritten()
        return StagedDay(
            document, rebuild.read(document.record, document.name), staged: staged,
            damaged: Set(damaged.map(\.ending)), moment: now, former: present)
    }
}
