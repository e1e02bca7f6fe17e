import Apod
import Files
import Glibc
import TestSupport

extension TemporaryFolder {
    func open() throws -> Folder { try Folder.open(path) }
}

/// What went wrong with the disk; nil if nothing did.
func failure(_ work: @autoclosure () throws -> some Any) -> Problem? {
    do {
        _ = try work()
        return nil
    } catch {
        return error.problem
    }
}
