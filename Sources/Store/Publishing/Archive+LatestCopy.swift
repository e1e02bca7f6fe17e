import Apod
package import Files
import Synchronization

extension Archive {
    /// The newest picture, whole, if `latest.jpg` needs a copy of it that is not there.
    package func pictureToCopy(
        unless isRefused: (LatestCopy) -> Bool = { _ in false }
    ) throws -> (copy: LatestCopy, file: File)? {
        guard let (stored, image) = try Tree.newestImage(in: tree.root, by: catalog),
            let copy = LatestCopy(of: image, named: stored.name),
            try !LatestLinks.isForeign(LatestLinks.jpeg, in: tree.root)
        else { return nil }
        guard try !copy.isThere(in: tree.root), !isRefused(copy),
            let file = try Tree.existingFolder(stored.name.folder, in: tree.root)?.file(stored.name.with(image)),
            try Digest(of: file) == image.sha256
        else { return nil }
        return (copy, file)
    }

    /// Puts a copy in its place, and leads `latest.jpg` to it if its picture is still the newest.
    package func put(_ bytes: [UInt8], as copy: LatestCopy) throws {
        try filesLock.withLock { _ in
            try copy.put(bytes, in: tree)
            try tree.pointLatest(by: catalog)
        }
    }
}
