import Files
import Glibc
import TestSupport

extension TemporaryFolder {
    func open() throws -> Folder { try Folder.open(path) }
}

/// What went wrong with the disk; nil if nothing did.
func failure(_ work: () throws(DiskError) -> some Any) -> DiskError? {
    do throws(DiskError) {
        _ = try work()
        return nil
    } catch {
        return error
    }
}
