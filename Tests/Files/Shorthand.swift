import Files
import Glibc
import TestSupport

extension TemporaryFolder {
    func open() throws -> Folder { try Folder.open(path) }
}

/// What went wrong with the disk; nil if nothing did.
func failure(_ work: @autoclosure () throws(StorageError) -> some Any) -> StorageError? {
    do throws(StorageError) {
        _ = try work()
        return nil
    } catch {
        return error
    }
}
