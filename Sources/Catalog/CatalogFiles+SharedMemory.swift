package import Files
import Glibc

/// The memory that the log's users share.
extension CatalogFiles {
    /// Of what was open once and is closed now. The bit means nothing else for a file (chmod(2)).
    private static let wasOpen: UInt32 = 0o1000

    private var memoryIsOpen: Bool {
        get throws(StorageError) { try folder.facts(of: memory)?.isOpenToOthers ?? false }
    }

    /// What earlier versions of this program have left open.
    func closeMemory() throws(StorageError) {
        if try memoryIsOpen { try folder.setMode(of: memory, Self.closed | Self.wasOpen) }
    }

    /// The same, for who has the mirror to themselves: whoever could open it before may hold a lock in it for ever, but
    /// the next one is another. What somebody uses who may write stays: two for one log would damage the catalog.
    package func replaceOpenMemory() throws(StorageError) {
        guard let facts = try folder.facts(of: memory) else { return }
        // Where nobody else could ever open it, nobody is looked for: that takes milliseconds.
        guard facts.isOpenToOthers || facts.permissions & Self.wasOpen != 0 else { return }
        try closeMemory()
        let holders = LockHolder.all(of: facts.identity)
        // Some disks know no modes.
        if try memoryIsOpen || holders.contains(where: facts.letWrite) { return }
        // Nor does anybody use it of whom the system does not tell.
        let file = holders.isEmpty ? try folder.makeLock(memory) : nil
        defer { withExtendedLifetime(file) {} }
        if try file?.lock(.alone) != false { return try folder.remove(memory) }
        // To be asked again the next time.
        try folder.setMode(of: memory, Self.closed | Self.wasOpen)
    }

    /// What a program has left that was killed while it made one.
    package func removeLeftovers() {
        for name in (try? folder.names()) ?? [] where name.hasPrefix("\(memory).") {
            let isOwn = UInt32(name.dropFirst(memory.count + 1), radix: 16) != nil
            if isOwn, (try? folder.facts(of: name))?.isLeftover == true { try? folder.remove(name) }
        }
    }

    /// Before SQLite does, which would give it the catalog's own mode. It comes to its name with something in it: to an
    /// empty one SQLite would do the same.
    func makeMemory() throws(StorageError) {
        if try folder.facts(of: memory) != nil { return }
        let new = "\(memory).\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        defer { try? folder.remove(new) }
        try fill(new)
        do throws(StorageError) {
            try giveName(to: new)
        } catch {
            // Somebody else has been faster, or the disk can give no name without taking it from another: then SQLite
            // makes it.
            guard error.code == EEXIST || error.isRefusal || error.isUnsupported else { throw error }
        }
    }

    /// Never in place of one that somebody uses. Some disks know one way, some the other.
    private func giveName(to new: String) throws(StorageError) {
        do throws(StorageError) {
            try folder.makeHardLink(new, in: folder, as: memory)
        } catch {
            if error.code == EEXIST { throw error }
            try folder.rename(new, toNew: memory)
        }
    }

    private func fill(_ new: String) throws(StorageError) {
        let file = try folder.makeLock(new)
        try file.append([0])
        guard geteuid() == 0, let catalog = try folder.facts(of: name) else { return }
        // Some disks know one owner only.
        guard fchown(file.descriptor, catalog.owner, catalog.group) != 0 else { return }
        let error = StorageError("set the owner of", file.path)
        guard error.isRefusal || error.isUnsupported else { throw error }
    }
}

extension File.Facts {
    fileprivate var isOpenToOthers: Bool { permissions & 0o777 & ~CatalogFiles.closed != 0 }

    /// Whether it may be SQLite, by somebody who may write in this. It locks for its process.
    func letWrite(_ holder: LockHolder) -> Bool {
        switch holder {
        case .openFile: false
        case .process(let user, let groups): user == 0 || user == owner || groups.contains(group)
        case .hidden: true
        }
    }
}
