import Apod
import Files
import Glibc

/// All that is below a folder, in order: `a/`, `a/file`, `a/link -> target`.
package func listing(_ path: String) -> [String] { entries(path, "").sorted() }

/// The same of a mirror, without its own folder and without what tells other programs what is not for them.
package func mirrorListing(_ root: String) -> [String] {
    listing(root).filter { !$0.hasPrefix(".apod-mirror") && !isMark($0) }
}

private func isMark(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return [".hidden", ".ppignore", ".nomedia", ".ignore", ".nomemories", ".noimage"].contains(name)
}

private func entries(_ path: String, _ prefix: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { ($0.prefix { $0 != 0 }).text }
        if name == "." || name == ".." { continue }
        let (inner, shown) = ("\(path)/\(name)", prefix + name)
        switch Facts(inner)?.kind {
        case S_IFDIR: found += ["\(shown)/"] + entries(inner, "\(shown)/")
        case S_IFLNK: found.append("\(shown) -> \(target(of: inner) ?? "?")")
        default: found.append(shown)
        }
    }
    return found
}

/// Whether there is something, also behind a link.
package func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

package func target(of link: String) -> String? {
    var buffer = nulls(Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    return count < 0 ? nil : buffer.prefix(count).text
}

/// What the system says of a file, not of what a link leads to.
package struct Facts {
    package let kind: UInt32
    package let permissions: UInt32
    package let bytes: Int
    package let modified: Int
    /// What its time has beyond whole seconds.
    package let nanoseconds: Int
    package let inode: UInt

    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        kind = status.st_mode & S_IFMT
        permissions = status.st_mode & 0o7777
        bytes = Int(status.st_size)
        modified = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
        inode = UInt(status.st_ino)
    }
}

/// A whole file, and to make one.
package func contents(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = nulls(65_536)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw SystemError("read \(path)") }
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

package func fileText(_ path: String) throws -> String { try contents(path).text }

package func save(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemError("create \(path)") }
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemError("write \(path)") }
}

package func save(_ text: String, to path: String) throws { try save(text.bytes, to: path) }

/// Returns when nobody writes in a mirror any more.
package func unlocked(_ root: String) async throws {
    try await lookOut(for: "the end of the writer") {
        try Folder.open("\(root)/.apod-mirror").makePrivateFile("lock").lock(.alone)
    }
}
