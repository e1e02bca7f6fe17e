/// Mistakes in the settings, and where they are.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// At least one.
    package let mistakes: [String]

    package init(_ mistakes: [String]) { self.mistakes = mistakes }

    package var description: String { mistakes.joined(separator: "; ") }
}
