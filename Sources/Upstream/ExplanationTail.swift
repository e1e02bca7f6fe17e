import Apod

/// Notices that the upstream puts behind an explanation, recognised by how they begin. Any other line in bold, such
/// as `News:` or `Update:`, is a part of the text.
enum ExplanationTail {
    /// At the beginning of a line or of bold text, with or without text before.
    private static let notices = ["tomorrow's picture:", "apod's main nasa site ", "apod's email "]

    /// Only at the beginning of a line, with text before.
    private static let labels = [
        // Other places of APOD.
        "follow apod", "apod in ", "apod is now ", "apod is available", "apod now ", "apod via ", "apod available",
        "new apod mirror", "apod mirror", "share the sky:", "discuss apod", "almost hyperspace",
        "explore the universe:",
        "explore your universe:", "portal universe:", "your sky surprise:", "sky surprise:", "birthday surprise:",
        "your birthday:", "random apod",
        // Other days of APOD.
        "retrospective:", "apod retrospective", "memorable apod", "apod year", "apod wall", "apod calendar",
        "gallery:", "growing gallery:", "apod gallery", "notable apod", "notable images", "notable submissions",
        "notable image submissions", "submitted to apod",
        // Things to have and to do.
        "free download", "free 40th anniversary download", "now available:", "free apod", "free presentation",
        "free lecture", "free public lecture", "apod lecture", "apod editor", "apod survey", "i like data:",
        "participate:", "socialize:", "citizen science:", "jigsaw", "astronomy puzzle", "piece it together:",
        "help evaluate", "help improve apod", "help translate",
        // For other readers.
        "open science:", "astrophysicists:", "teachers:", "teachers & students:", "educators:", "career astronomers:",
        "authors & editors:", "nasa official:",
    ]

    /// Whether a line, or a run of bold text, begins such a notice.
    static func begins(_ text: String, opensLine: Bool, isBold: Bool, behindText: Bool) -> Bool {
        guard opensLine || isBold else { return false }
        let start = start(of: text)
        if notices.contains(where: { start.utf8.starts(with: $0.utf8) }) { return true }
        return opensLine && behindText && labels.contains { start.utf8.starts(with: $0.utf8) }
    }

    private static func start(of text: String) -> String {
        let start = PlainText.tidy(String(text.unicodeScalars.prefix(200))).lowercased() + " "
        return String(String.UnicodeScalarView(start.unicodeScalars.map { $0 == "’" ? "'" : $0 }))
    }
}
