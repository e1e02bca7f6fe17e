import Apod
import Archive
import Catalog
import Control
import Favorites
import Files
import Syncing

/// What the current user can do about a condition.
struct Remedy {
    let advice: ServiceAdvice
    /// Whether a service keeps this mirror.
    let isServed: Bool

    /// nil if the condition passes by itself, or its lines say what to do.
    func of(_ condition: Condition) -> String? {
        switch condition {
        case .waiting, .trouble, .unfinished, .folderLost, .unwritable, .unrecognised, .pending:
            nil
        case .polling(_, let limit): limit.map(FailureRemedy.raising)
        case .settings: "correct them, then \(advice.reload)"
        case .noThumbnailer: InstalledProgram.remedy
        case .ended(let loss):
            "`apod-mirror favorites restore --since \(Time.text(loss.since))` brings them back"
        case .held:
            """
            they stay until you run `\(advice.program) prune`; to keep them, correct the \
            settings\(isServed ? ", then \(advice.reload)" : ""), or make them favorites
            """
        case .damaged: "`\(advice.program) verify --repair` fetches what it can again"
        case .failed(let days, _, _):
            "`apod-mirror sync\(days.first.map { " \($0)" } ?? "")` tries again at once"
        case .undecodable(let day, _):
            "`apod-mirror thumbnails \(day)` tries again, `apod-mirror sync \(day)` asks NASA for another picture"
        case .nameTaken: "rename it: the mirror needs the name"
        case .replaced(let day, _, _, _): "`\(advice.program) revert \(day)` brings the former one back"
        }
    }

    /// For a file that is named like a copy in the gallery; nil for any other.
    static func ofCopy(_ place: Place) -> String? {
        guard let day = place.name.text.flatMap(GallerySize.day(of:)) else { return nil }
        return """
            a smaller copy from the gallery; put the picture itself here, or a link to it: \
            `apod-mirror favorites add \(day)` makes one
            """
    }
}
