internal import Apod
internal import Files
import Glibc

/// What a month's folder does not let be done.
extension Tree {
    /// Runs a step of some work in a month's folder (`2026/11`).
    func wrapping<Value>(month: String, _ work: () throws(StorageError) -> Value) throws(ArchiveError) -> Value {
        do throws(StorageError) { return try work() } catch { throw blamed(on: month, error) }
    }

    /// The same of a single step.
    func wrapping<Value>(
        month: String, step: @autoclosure () throws(StorageError) -> Value
    ) throws(ArchiveError) -> Value {
        try wrapping(month: month) { () throws(StorageError) in try step() }
    }

    /// What the root or the whole disk does not let be done is no month's matter.
    private func blamed(on month: String, _ error: StorageError) -> ArchiveError {
        let (year, month) = Self.names(of: month)
        let isOfMonth = !error.path.utf8.starts(with: "\(own.path)/".utf8)
        guard isOfMonth, error.isAboutPlace, let kind = try? root.kind(of: year) else { return .storage(error) }
        let folder = kind == .folder ? try? root.folder(year) : nil
        let isThere = (try? folder?.kind(of: month)) != nil
        return .refused(folder: isThere ? folder!.path(of: month) : root.path(of: year), error)
    }

    /// Why nothing can be put into a day's month, as far as that can be known before it is tried. `toChange`: or nothing in
    /// it can be replaced or deleted.
    func checkMonth(of day: Day, toChange: Bool) throws(ArchiveError) {
        try ArchiveError.wrapping(step: try unfinished.checkChangeable())
        try wrapping(month: day.folder) { () throws(StorageError) in
            let names = Self.names(of: day.folder)
            guard let year = try root.folder(names.year) else { return }
            guard let month = try year.folder(names.month) else { return try year.checkWritable() }
            if toChange { try month.checkChangeable() } else { try month.checkWritable() }
            guard try month.identity().device == unfinished.identity().device else {
                throw StorageError("write in", month.path, code: EXDEV)
            }
        }
    }
}
