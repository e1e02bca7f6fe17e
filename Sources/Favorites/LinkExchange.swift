import Apod
import Files

/// Replaces a thing in the favorites folder by a link, atomically, and only if it is still what was looked at.
struct LinkExchange {
    let name: Name
    /// What the thing was when it was looked at.
    let facts: File.Facts
    let folder: Folder

    private static let prefix = ".apod-mirror-".bytes

    static func isTemporary(_ name: Name) -> Bool { name.bytes.starts(with: prefix) }

    /// Contains the final name, for what a kill leaves: `.apod-mirror-1f…-name`.
    private static func temporary(for name: Name) -> Name {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return Name(prefix + "\(number)-".utf8 + name.bytes.prefix(220))!
    }

    /// The final name in a temporary one; nil if there is none.
    static func name(behind temporary: Name) -> Name? {
        let rest = temporary.bytes.dropFirst(prefix.count)
        return rest.firstIndex(of: "-").flatMap { Name(rest[($0 + 1)...]) }
    }

    /// Returns false if nothing was replaced: something else has the name, or the folder is not `isInPlace`. In a
    /// folder that was moved away, nothing may be changed.
    func link(to target: String, while isInPlace: () throws -> Bool) throws -> Bool {
        guard try isInPlace() else { return false }
        let temporary = Self.temporary(for: name)
        try folder.makeLink(temporary, to: target)
        do {
            try folder.exchange(temporary, with: folder, name)
        } catch {
            defer { try? folder.remove(temporary) }
            // NFS and sshfs have no RENAME_EXCHANGE: a second look, and then a plain rename.
            guard error.problem.isUnsupported, try folder.facts(of: name)?.isSame(as: facts) == true else {
                throw error
            }
            try folder.rename(temporary, to: folder, as: name)
            return true
        }
        let isRight: Bool
        do {
            isRight = try isInPlace() ? try folder.facts(of: temporary)?.isSame(as: facts) == true : false
        } catch {
            try? trim(temporary, target)
            throw error
        }
        guard isRight else {
            try trim(temporary, target)
            return false
        }
        try folder.remove(temporary)
        return true
    }

    /// Undoes the exchange. Where that fails, `Keeper.tidy` finds what is left.
    private func trim(_ temporary: Name, _ target: String) throws {
        try folder.exchange(temporary, with: folder, name)
        // The exchange may have brought something else here.
        if folder.target(of: temporary) == target { try folder.remove(temporary) }
    }
}

/// Names for links that the mirror makes.
extension Name {
    func hasSuffix(_ suffix: String) -> Bool { bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The name with a number in front; unchanged for 1.
    func numbered(_ number: Int) -> Name {
        number == 1 ? self : Name("\(number) ".utf8 + bytes.suffix(Self.longestNumbered))!
    }

    private static let longestNumbered = 240
}
