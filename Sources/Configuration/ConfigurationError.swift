/// What is wrong with the settings, and where that stands.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// One or more.
    package let mistakes: [String]
    /// Where the first of those stands that are in a file.
    package let file: String?

    package init(description: String, file: String? = nil) {
        mistakes = [description]
        self.file = file
    }

    /// All of them.
    init(_ errors: [ConfigurationError]) {
        mistakes = errors.flatMap(\.mistakes)
        file = errors.lazy.compactMap(\.file).first
    }

    /// On one line.
    package var description: String { mistakes.joined(separator: "; ") }
}
