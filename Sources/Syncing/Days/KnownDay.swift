internal import Apod
internal import Catalog

/// What is known of a day before its record is looked at.
struct KnownDay: Sendable {
    var status: DayStatus?
    /// The day's files that are in the tree and whole.
    var whole: [StoredFile] = []
    /// Pictures that do not decode though their SHA-256 is right, and why. They are not `whole`.
    var undecodable: [Digest: String] = [:]
    /// From the day's JSON; nil if that was not read or cannot be.
    var kept: Metadata?
    /// The JSON is as it was written, or was not looked at.
    var isJSONWhole = true

    var stored: StoredDay? { status?.stored }
    var files: [StoredFile] { stored?.files ?? [] }
    var setAside: Set<Digest> { kept?.setAside ?? [] }
    /// The day's files that are missing, damaged or do not decode.
    var lacking: [StoredFile] { files.filter { file in !whole.contains { $0.sha256 == file.sha256 } } }
}
