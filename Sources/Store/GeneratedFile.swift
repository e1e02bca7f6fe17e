import Apod
package import Files
import Glibc

/// The files that are made for other programs. Each has a signature in its first lines; files without it are left alone.
package enum GeneratedFile {
    package static let signature = "Made by apod-mirror"
    package static let head = 200
    private static let longest = 64 << 20

    package static let script = "// \(signature).\n"
    package static let style = "/* \(signature). */\n"
    package static let page =
        "<!-- \(signature), and made anew as days come. Without this line it is yours, and stays. -->\n"
    package static let feed = "<!-- \(signature). -->\n"
    package static let icon = feed
    static let list = "# \(signature). Without this line it is yours, and stays.\n"

    /// Whether there is something of this name that is not the mirror's. A file that cannot be read counts as somebody
    /// else's.
    package static func isForeign(_ name: String, in folder: Folder) throws -> Bool {
        if let beginning = try beginning(name, in: folder) { return !isOwn(beginning) }
        return try folder.facts(of: name) != nil
    }

    private static func isOwn(_ bytes: [UInt8]) -> Bool {
        let signature = signature.bytes
        return bytes.indices.contains { bytes[$0...].starts(with: signature) }
    }

    /// The contents of a file with the signature; nil if there is none.
    package static func contents(_ name: String, in folder: Folder) throws -> [UInt8]? {
        guard let beginning = try beginning(name, in: folder), isOwn(beginning), let file = try folder.file(name),
            try file.facts().bytes <= longest
        else { return nil }
        return try file.contents(atMost: longest)
    }

    /// The first bytes of a file, with or without the signature; nil where there is none that can be read.
    package static func beginning(_ name: String, in folder: Folder, count: Int = head) throws -> [UInt8]? {
        guard try folder.facts(of: name)?.isRegular == true else { return nil }
        do { return try folder.file(name)?.bytes(at: 0, count: count) } catch {
            guard error.problem.isAboutPlace else { throw error }
            return nil
        }
    }

    /// Whether a file needs no writing: it has these bytes, or is somebody else's.
    package static func isSame(_ bytes: [UInt8], _ name: String, in folder: Folder) throws -> Bool {
        if try isForeign(name, in: folder) { return true }
        guard try folder.facts(of: name)?.bytes == bytes.count else { return false }
        return try contents(name, in: folder) == bytes
    }

    /// Writes a file unless it is somebody else's or unchanged. Returns whether it was written: the caller then syncs the
    /// folder, once for all that it writes there.
    package static func write(
        _ bytes: [UInt8], as name: String, in folder: Folder, through unfinished: Folder
    ) throws -> Bool {
        if try isSame(bytes, name, in: folder) { return false }
        let size = try folder.facts(of: name)?.bytes ?? 0
        if bytes.count > size + (64 << 10) { try unfinished.checkRoom() }
        return try put(Staged(bytes, in: unfinished, as: "gallery-\(name)"), as: name, in: folder, where: isOwn)
    }

    /// Gives a file its name where nothing has it, or a file that begins as the mirror's own do. Drops it and returns false
    /// where somebody else's has come to the name since the caller looked.
    package static func put(
        _ staged: Staged, as name: String, in folder: Folder, where isOwn: ([UInt8]) -> Bool
    ) throws -> Bool {
        do {
            let isReplacing = try beginning(name, in: folder).map(isOwn) ?? false
            try staged.publish(in: folder, as: name, replacing: isReplacing)
            return true
        } catch {
            staged.discard()
            guard error.problem.errorNumber == EEXIST else { throw error }
            return false
        }
    }

    /// Removes a file unless it is somebody else's. Returns whether it was removed.
    @discardableResult
    package static func remove(_ name: String, from folder: Folder) throws -> Bool {
        guard try folder.facts(of: name) != nil, try !isForeign(name, in: folder) else { return false }
        try folder.remove(name)
        return true
    }
}
