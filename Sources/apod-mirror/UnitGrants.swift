import Archive
import Configuration
import Files

/// The folders in which systemd lets the service of all write.
struct UnitGrants {
    private static let key = "ReadWritePaths="
    /// Granted by StateDirectory.
    private static let state = "/var/lib/apod-mirror"
    private let folders: [String]

    /// nil where no such service is installed, it reads other settings, or its folders are written in a way that is not
    /// read here.
    init?(forReaderOf file: String?) {
        guard file == Configuration.everybodys, let lines = SystemService.lines else { return nil }
        let values = lines.compactMap { line in
            line.hasPrefix(Self.key) ? line.dropFirst(Self.key.count) : nil
        }
        // An empty one takes back those before it.
        let last = values.lastIndex(of: "").map { values[($0 + 1)...] } ?? values[...]
        if last.contains(where: { value in value.contains { "\\%".contains($0) } }) { return nil }
        folders =
            [Self.state]
            + last.map { value in
                let path = value.first == "\"" ? value.dropFirst().dropLast() : value
                return String(path.first == "-" ? path.dropFirst() : path)
            }
    }

    func contain(_ folder: String) -> Bool {
        let path = FileSystem.resolved(folder.utf8).map { String(decoding: $0, as: UTF8.self) } ?? folder
        return folders.contains { path == $0 || path.hasPrefix("\($0)/") }
    }
}
