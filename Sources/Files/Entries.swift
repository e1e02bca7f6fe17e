import Glibc

/// What is in a folder, one thing after the other: there may be more than fits in memory.
package final class Entries {
    private let path: String
    private let stream: OpaquePointer

    /// `descriptor`: of the open folder.
    init(of descriptor: Int32, path: String) throws(StorageError) {
        self.path = path
        // The stream takes over its descriptor, and its position: it needs one of its own.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else { throw StorageError("list", path) }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// In no order, with its kind where the file system tells it; nil when that was all.
    package func next() throws(StorageError) -> (name: Name, kind: File.Kind?)? {
        errno = 0
        while let entry = readdir(stream) {
            let kind = File.Kind(entry: Int32(entry.pointee.d_type))
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                Name(reading: $0.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
            if !name.isDots { return (name, kind) }
            errno = 0
        }
        guard errno == 0 else { throw StorageError("list", path) }
        return nil
    }
}
