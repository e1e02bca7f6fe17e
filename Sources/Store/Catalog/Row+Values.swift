import Apod

/// Rows as values; nil for a row that this program did not write.
extension Database.Row {
    /// The day whose row has the number in the first column.
    var day: Day? { integer(0).flatMap { Day(daysSince1970: $0) } }

    /// From the columns `list` and `stem`.
    var fileName: FileName? {
        guard let stem = text("stem"), let list = text("list") else { return nil }
        if list.isEmpty { return FileName(stem: stem) }
        return ListName(list).flatMap { FileName(stem: stem, of: $0) }
    }

    /// The file of a type, or the JSON where there is none. `number`: that of a further picture.
    func file(of name: FileName, number: Int = 1) -> String {
        name.with(text("type").flatMap(MediaType.init)?.suffix ?? FileName.json, number: number)
    }

    var failure: Problem? { text("failure").flatMap { try? JSONText($0.bytes) }.flatMap(Problem.init) }
}
