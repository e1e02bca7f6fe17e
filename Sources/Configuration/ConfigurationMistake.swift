/// One thing that is wrong, and which settings it may be about.
struct ConfigurationMistake: Sendable {
    enum Subject: Sendable, Equatable {
        case setting(String)
        /// It is no setting, and may be meant for one.
        case unknown
        /// A file that says nothing, and may have any.
        case anyFile
    }

    /// What comes later goes before what comes earlier.
    enum Source: Sendable, Equatable, Comparable {
        case file(Int)
        case environment, commandLine
    }

    let error: ConfigurationError
    let subject: Subject
    let source: Source
    /// How many others were found before it.
    var number = 0
}
