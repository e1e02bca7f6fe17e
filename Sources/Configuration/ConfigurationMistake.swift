/// One thing that is wrong, and which setting it is about.
struct ConfigurationMistake: Sendable {
    let error: ConfigurationError
    /// nil where it may be about any.
    var key: String?
    /// The setting has a value that came later, or with more weight.
    var isSuperseded = false
}
