internal import Apod
internal import Files
import Glibc

extension Tree {
    /// The folder of a name's files, if the files in it can be replaced and deleted: it can be written, and lies on the
    /// mirror's own disk. Asked before a day is marked.
    func writableFolder(of name: FileName) throws(StorageError) -> Folder {
        let month = try folder(name.folder)
        try month.checkWritable()
        guard try month.identity().device == unfinished.identity().device else {
            throw StorageError("change files in", month.path, code: EXDEV)
        }
        return month
    }

    /// Runs work in a month's folder (`2026/11`), and throws errors of that folder as `.refused`.
    func wrapping<Value>(month: String, _ work: () throws(StorageError) -> Value) throws(ArchiveError) -> Value {
        do throws(StorageError) { return try work() } catch { throw blamed(on: month, error) }
    }

    /// Runs a single expression in the same way.
    func wrapping<Value>(
        month: String, step: @autoclosure () throws(StorageError) -> Value
    ) throws(ArchiveError) -> Value {
        try wrapping(month: month) { () throws(StorageError) in try step() }
    }

    /// The month is not blamed for errors of the mirror's own folder or of the whole disk.
    private func blamed(on month: String, _ error: StorageError) -> ArchiveError {
        let isOfMonth = !error.path.utf8.starts(with: "\(own.path)/".utf8)
        guard isOfMonth, error.isAboutPlace else { return .storage(error) }
        // The innermost that is there.
        var (folder, path) = (Optional(root), String?.none)
        for part in Self.parts(of: month) {
            guard let outer = folder, (try? outer.kind(of: part)) ?? nil != nil else { break }
            path = outer.path(of: part)
            folder = (try? outer.folder(part)) ?? nil
        }
        return path.map { .refused(folder: $0, error) } ?? .storage(error)
    }
}
