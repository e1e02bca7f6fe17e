/// Mistakes in the settings, and where they are.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// At least one.
    package let mistakes: [String]

    package init(_ mistakes: [String]) { self.mistakes = mistakes }

    /// The first mistakes, and how many more there are.
    package func told(atMost most: Int) -> [String] {
        let more = mistakes.count - most
        return mistakes.prefix(most) + (more > 0 ? ["and \(more) more"] : [])
    }

    /// A wrong text in quotes, cut where it is long.
    static func quoted(_ text: String) -> String {
        let most = 80
        let beginning = text.unicodeScalars.prefix(most)
        return beginning.count < text.unicodeScalars.count ? "“\(String(beginning))…”" : "“\(text)”"
    }

    package var description: String { told(atMost: 10).joined(separator: "; ") }
}
