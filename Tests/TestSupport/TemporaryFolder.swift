import Glibc

/// A folder of its own for one test, gone with everything in it when the test lets go of it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/apod-mirror-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp in \(parent)") }
        let made = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        // Resolved, so that paths compare equal to those that a program reads back.
        guard let resolved = realpath(made, nil) else { throw SystemError("realpath \(made)") }
        path = String(cString: resolved)
        free(resolved)
    }

    deinit {
        // Whoever has been told to stop may still be writing.
        for _ in 1...100 {
            Self.remove(Array(path.utf8CString))
            if access(path, F_OK) != 0 { break }
            usleep(10_000)
        }
    }

    package func appending(_ name: String) -> String { "\(path)/\(name)" }

    /// Names are bytes here: some tests make names that are not UTF-8.
    private static func remove(_ path: [CChar]) {
        if unlink(path) == 0 || rmdir(path) == 0 { return }
        chmod(path, 0o700)
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) }
            if name == [46] || name == [46, 46] { continue }
            remove(path.dropLast() + [CChar(UInt8(ascii: "/"))] + name + [0])
        }
        closedir(folder)
        rmdir(path)
    }
}
