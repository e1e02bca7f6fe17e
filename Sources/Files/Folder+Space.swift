import Apod
import Glibc

/// The room on a folder's disk.
extension Folder {
    package struct Space: Sendable {
        package let free: Int
        package let total: Int

        /// The bytes left to others: programs fail in odd ways on a disk that is full to the last byte.
        package var floor: Int { min(total / 100, 512_000_000) }

        /// Not every file system tells how large it is.
        package var isBelowFloor: Bool { total > 0 && free < floor }
    }

    package func space() throws -> Space {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { throw Problem("examine the disk of", path) }
        func bytes(_ blocks: UInt) -> Int {
            let (bytes, overflow) = blocks.multipliedReportingOverflow(by: status.f_frsize)
            return overflow ? .max : Int(clamping: bytes)
        }
        return Space(free: bytes(status.f_bavail), total: bytes(status.f_blocks))
    }

    /// Throws ENOSPC if less than the floor is free.
    package func checkRoom() throws {
        if try space().isBelowFloor { throw Problem("write in", path, code: ENOSPC) }
    }
}
