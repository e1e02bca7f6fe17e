package import Files
import Glibc

/// A catalog for those who may read it but not use its log's memory: as it was at one moment, in a folder of their own
/// that is to be removed as soon as it is open.
package struct CatalogCopy {
    private let path: String
    private let place: Folder
    private let pause: (String) -> Void

    private static let name = "catalog.sqlite"
    private static let prefix = ".apod-mirror-copy."

    /// Of the catalog and its log together.
    private static let most = 1 << 30
    private static let attempts = 40
    private static let pause: UInt32 = 25_000

    /// `pause`: called before anything is read, without a name, and after each piece, with the name of its file. For tests,
    /// in which others write meanwhile.
    package init(of path: String, pause: @escaping (String) -> Void = { _ in }) throws(StorageError) {
        self.path = path
        self.pause = pause
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        Self.removeLeftovers(in: folder)
        var template = Array("\(folder)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StorageError("make a folder in", folder) }
        place = try Folder.open(template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
        pause("")
        do throws(StorageError) {
            try take()
        } catch {
            remove()
            throw error
        }
    }

    package func open() throws(StorageError) -> Catalog {
        try Catalog(path: place.path(of: Self.name), .readCopy(of: path))
    }

    package func remove() { Self.remove(place) }

    private static func remove(_ place: Folder) {
        for suffix in ["", "-wal", "-shm"] { try? place.remove(name + suffix) }
        rmdir(place.path)
    }

    /// What somebody's program has left that was killed.
    static func removeLeftovers(in path: String) {
        guard let folder = try? Folder.open(path), let names = try? folder.names() else { return }
        for name in names where name.hasPrefix(prefix) {
            guard let place = try? folder.folder(name), let facts = try? place.facts(), facts.owner == geteuid(),
                facts.isLeftover
            else { continue }
            remove(place)
        }
    }

    private func take() throws(StorageError) {
        for _ in 0..<Self.attempts {
            if try takeOnce() { return }
            usleep(Self.pause)
        }
        throw StorageError("read", path, code: EAGAIN)
    }

    /// Returns whether all of it is of one moment. What comes to the log meanwhile does no harm: SQLite reads as far as
    /// it is whole. But nothing may go from it to the catalog, and it may not begin anew.
    private func takeOnce() throws(StorageError) -> Bool {
        let file = try File.reading(path)
        let facts = try file.facts()
        guard facts.showsNextChange else { return false }
        let beginning = try logBeginning()
        let room = Self.most - (try copy(file, as: Self.name, atMost: Self.most))
        _ = try log().map { log throws(StorageError) in try copy(log, as: "\(Self.name)-wal", atMost: room) }
        guard try file.facts() == facts, File.identity(at: path) == facts.identity else { return false }
        return try logBeginning() == beginning
    }

    /// nil if there is none, or nothing in it.
    private func log() throws(StorageError) -> File? {
        do throws(StorageError) {
            return try File.reading("\(path)-wal")
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// Another each time that the log begins anew (sqlite.org/fileformat2.html, "The Write-Ahead Log").
    private func logBeginning() throws(StorageError) -> [UInt8] { try log()?.bytes(at: 0, count: 32) ?? [] }

    /// Returns how much it was.
    private func copy(_ file: File, as name: String, atMost limit: Int) throws(StorageError) -> Int {
        let copy = try place.makeFile(name)
        var done = 0
        while true {
            let bytes = try file.bytes(at: done, count: 1 << 20)
            if bytes.isEmpty { return done }
            done += bytes.count
            guard done <= limit else { throw StorageError("copy", file.path, code: EFBIG) }
            try copy.append(bytes)
            pause(name)
        }
    }
}
