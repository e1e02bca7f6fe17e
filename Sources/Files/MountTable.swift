/// What the table of mounts says of where folders are on their disks: a folder that is to be seen at several paths is in
/// one place.
package struct MountTable {
    package typealias Names = [ArraySlice<UInt8>]

    /// A folder of a file system, whatever it is mounted at.
    package struct Place {
        fileprivate let device: UInt
        fileprivate let names: Names

        /// The names on the way from another place to this one; nil if it is not inside that.
        package func names(below other: Place) -> Names? {
            guard device == other.device, names.starts(with: other.names) else { return nil }
            return Array(names.dropFirst(other.names.count))
        }
    }

    private let mounts: [(mount: FileSystem.Mount, path: Names)]

    package init() { mounts = FileSystem.mounts.map { ($0, Self.names($0.path)) } }

    /// nil where the table does not tell.
    package func place(of folder: Folder) -> Place? {
        guard let number = folder.mountNumber, let names = Self.names(of: folder),
            let (mount, path) = mounts.first(where: { $0.mount.number == number })
        else { return nil }
        return Place(device: mount.device, names: Self.names(mount.source) + names.dropFirst(path.count))
    }

    /// What is mounted below a folder: the names on the way to it, and what it is.
    package func mounts(below folder: Folder) -> [(names: Names, place: Place)] {
        guard let own = Self.names(of: folder) else { return [] }
        return mounts.filter { $0.path.count > own.count && $0.path.starts(with: own) }.map { mount, path in
            (Array(path.dropFirst(own.count)), Place(device: mount.device, names: Self.names(mount.source)))
        }
    }

    private static func names(_ path: String) -> Names { Array(path.utf8).split(separator: UInt8(ascii: "/")) }

    /// As text, like those in the table.
    private static func names(of folder: Folder) -> Names? {
        folder.truePath.map { names(String(decoding: $0, as: UTF8.self)) }
    }
}

extension Folder {
    /// Of the mount that it was opened in (proc_pid_fdinfo(5)).
    fileprivate var mountNumber: Int? {
        guard let bytes = try? File.reading("/proc/self/fdinfo/\(descriptor)").stream() else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.utf8.starts(with: "mnt_id:".utf8) }
        return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }
}
