/// What is wrong with the settings, and where that stands.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// One or more.
    package let mistakes: [String]
    /// Of a single one.
    let line: Int

    package init(description: String, line: Int = 0) {
        mistakes = [description]
        self.line = line
    }

    /// All of them.
    init(_ errors: [ConfigurationError]) {
        mistakes = errors.flatMap(\.mistakes)
        line = 0
    }

    /// Of very many, the first.
    package func told(atMost most: Int) -> [String] {
        let more = mistakes.count - most
        return mistakes.prefix(most) + (more > 0 ? ["and \(more) more"] : [])
    }

    /// What stands there instead, as far as it is worth telling.
    static func quoted(_ text: String) -> String {
        let most = 80
        let beginning = text.unicodeScalars.prefix(most)
        return beginning.count < text.unicodeScalars.count ? "“\(String(beginning))…”" : "“\(text)”"
    }

    /// On one line.
    package var description: String { told(atMost: 10).joined(separator: "; ") }
}
