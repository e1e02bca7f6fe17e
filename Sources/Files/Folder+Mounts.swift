/// What the table of mounts says, without asking any disk.
extension Folder {
    /// Where what is at a path below this folder is mounted; nil if that is no other disk's, nor mounted there.
    package func mountPoint(of path: String) -> String? {
        guard path.utf8.starts(with: self.path.utf8), let own = truePath else { return nil }
        let place = own + path.utf8.dropFirst(self.path.utf8.count)
        let mounts = FileSystem.mounts(below: own).map { Array($0.path.utf8) }
        let around = mounts.filter { place == $0 || place.starts(with: $0 + [UInt8(ascii: "/")]) }
        let nearest = around.max { $0.count < $1.count }
        return nearest.map { self.path + String(decoding: $0.dropFirst(own.count), as: UTF8.self) }
    }
}
