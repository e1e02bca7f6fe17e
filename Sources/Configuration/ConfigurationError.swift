/// What is wrong with the settings, and where that stands.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let description: String
    /// Where it stands, if that is a file.
    package let file: String?

    package init(description: String, file: String? = nil) {
        self.description = description
        self.file = file
    }
}
