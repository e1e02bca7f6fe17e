internal import Files
import Glibc

/// A thing in the favorites folder that a link takes the place of, at once and only if it is still the thing that was
/// looked at.
struct Replacement {
    private let name: Name
    private let facts: File.Facts
    private let folder: Folder

    private static let prefix = Array(".apod-mirror-".utf8)

    init(of name: Name, _ facts: File.Facts, in folder: Folder) {
        self.name = name
        self.facts = facts
        self.folder = folder
    }

    /// Of a link on its way to its name.
    static func isTemporary(_ name: Name) -> Bool { name.bytes.starts(with: prefix) }

    /// It tells whose place it takes, for the case of a kill: `.apod-mirror-1f…-name`.
    private static func temporary(for name: Name) -> Name {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return Name(prefix + "\(number)-".utf8 + name.bytes.prefix(220))!
    }

    /// nil where it does not tell.
    static func name(behind temporary: Name) -> Name? {
        let rest = temporary.bytes.dropFirst(prefix.count)
        return rest.firstIndex(of: UInt8(ascii: "-")).flatMap { Name(rest[($0 + 1)...]) }
    }

    /// `isInPlace`: whether the folder is still where it was; what has been moved away is not the mirror's to change. Returns
    /// false if it is not.
    func link(to target: String, while isInPlace: () -> Bool) throws(StorageError) -> Bool {
        guard isInPlace() else { return false }
        // Where things can be made, and neither renamed nor removed (chattr(1), a), each attempt would leave one.
        if try folder.known(".")?.isImmutable == true { throw StorageError("change", folder.path, code: EPERM) }
        // Beside it: the folder may be a mount of its own.
        let temporary = Self.temporary(for: name)
        try folder.makeLink(temporary, to: target)
        do throws(StorageError) {
            try folder.exchange(temporary, with: folder, name)
        } catch {
            defer { try? folder.remove(temporary) }
            // NFS and sshfs cannot exchange, but look again and replace.
            guard error.isUnsupported, try folder.facts(of: name)?.isSame(as: facts) == true else { throw error }
            try folder.rename(temporary, to: folder, as: name)
            return true
        }
        let isStill = isInPlace()
        let former = try folder.facts(of: temporary)
        if isStill, former?.isSame(as: facts) == true {
            try folder.remove(temporary)
        } else {
            try trim(temporary, target)
        }
        return isStill
    }

    /// Somebody was quicker: what was not looked at gets its name again. If that is gone by now, it keeps the other one.
    private func trim(_ temporary: Name, _ target: String) throws(StorageError) {
        try folder.exchange(temporary, with: folder, name)
        // By then, something else may have come to its name.
        if folder.target(of: temporary) == target { try folder.remove(temporary) }
    }
}
