import Apod
import Files
import Glibc

extension Tree {
    /// The folder of a name's files, if the files in it can be replaced and deleted: it can be written, and lies on the
    /// mirror's own disk. Asked before a day is marked.
    func writableFolder(of name: FileName) throws -> Folder {
        let month = try folder(name.folder)
        try month.checkWritable()
        guard try month.identity().device == unfinished.identity().device else {
            throw Problem("change files in", month.path, code: EXDEV)
        }
        return month
    }

    /// Runs a step in a month's folder (`2026/11`), and throws what is wrong with that folder as `barred`.
    func wrapping<Value>(month: String, _ step: () throws -> Value) throws -> Value {
        do { return try step() } catch { throw blamed(on: month, error.problem) }
    }

    /// The month is not blamed for errors of the mirror's own folder or of the whole disk.
    private func blamed(on month: String, _ problem: Problem) -> Problem {
        let isOfMonth = problem.path?.utf8.starts(with: "\(own.path)/".utf8) == false
        guard isOfMonth, problem.isAboutPlace else { return problem }
        // The innermost that is there.
        var (folder, path) = (Optional(root), String?.none)
        for part in Self.parts(of: month) {
            guard let outer = folder, (try? outer.kind(of: part)) ?? nil != nil else { break }
            path = outer.path(of: part)
            folder = (try? outer.folder(part)) ?? nil
        }
        guard let path else { return problem }
        // What is mounted there is the month's; any other reason is the file's.
        let isMount = problem.errorNumber == EXDEV
        return Problem(
            .barred, isMount ? nil : problem.detail, path: isMount ? path : problem.path, number: problem.number)
    }
}
