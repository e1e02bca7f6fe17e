/// What one of several files of settings says of deleting pictures, and in which mirror.
struct FileLimits: Sendable {
    static let keys = ["keep", "max-total"]

    let file: String
    /// That the file names, or the usual one.
    private(set) var root: String
    private(set) var lines: [String: (value: String, origin: String)] = [:]

    init(file: String, root: String) {
        self.file = file
        self.root = root
    }

    /// `settings`: with what the line says.
    mutating func take(_ line: ConfigurationFile.Line, _ settings: Settings, from origin: String) {
        if line.key == "root" { root = settings.root }
        if Self.keys.contains(line.key) { lines[line.key] = (line.value, origin) }
    }
}
