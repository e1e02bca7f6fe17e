/// What is told of folders in the catalog: a line for each of the first, and how many more there are.
enum FolderRemark {
    private static let most = 10

    /// nil if there are none. `others`: so many there are beside these.
    static func text<Folder>(_ folders: [Folder], others: Int = 0, line: (Folder) -> String) -> String? {
        if folders.isEmpty { return nil }
        let more = folders.count + others - most
        return (folders.prefix(most).map(line) + (more > 0 ? ["and \(more) more folders"] : [])).joined(separator: "\n")
    }
}
