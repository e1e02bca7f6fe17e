import Apod
import Glibc

/// The entries of a folder, read one at a time: there may be more than fit in memory.
package final class Entries {
    private let path: String
    private let stream: OpaquePointer

    /// `descriptor`: of the open folder.
    init(of descriptor: Int32, path: String) throws {
        self.path = path
        // fdopendir(3) takes over the descriptor and its position, so the stream gets one of its own.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else { throw Problem("list", path) }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// The next entry, in no order, with its kind where the file system tells it; nil at the end.
    package func next() throws -> (name: Name, kind: File.Kind?)? {
        errno = 0
        while let entry = readdir(stream) {
            let kind = File.Kind(entry: entry.pointee.d_type)
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                Name(reading: $0.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
            if !name.isDots { return (name, kind) }
            errno = 0
        }
        guard errno == 0 else { throw Problem("list", path) }
        return nil
    }
}
