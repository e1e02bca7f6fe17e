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

    /// All of them; of very many, the first by name.
    init(_ errors: [ConfigurationError]) {
        let all = errors.flatMap(\.mistakes)
        let more = all.count - Self.mostTold
        mistakes = all.prefix(Self.mostTold) + (more > 0 ? ["\(more) more like these"] : [])
        file = errors.lazy.compactMap(\.file).first
    }

    private static let mostTold = 10

    /// What stands there instead, as far as it is worth telling.
    static func quoted(_ text: String) -> String {
        let most = 80
        let beginning = text.unicodeScalars.prefix(most)
        return beginning.count < text.unicodeScalars.count ? "“\(String(beginning))…”" : "“\(text)”"
    }

    /// On one line.
    package var description: String { mistakes.joined(separator: "; ") }
}
