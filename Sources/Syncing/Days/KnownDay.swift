internal import Apod
internal import Archive
internal import Catalog

/// What is known of a day before its record is looked at.
struct KnownDay: Sendable {
    /// What the catalog remembers.
    var status: DayStatus?
    /// Those of its files that are in the tree and whole.
    var whole: [StoredFile] = []
    /// Why a picture does not decode, though it is as it came. It is not `whole`.
    var undecodable: [Digest: String] = [:]
    /// What its JSON tells; nil where that was not read, or cannot be.
    var kept: KeptDay?
    /// The JSON is as it was written, as far as somebody has looked.
    var isJSONWhole = true

    var stored: StoredDay? { status?.stored }
    var files: [StoredFile] { stored?.files ?? [] }
    var setAside: Set<Digest> { kept?.setAside ?? [] }
    /// Those that are to be there and are not.
    var lacking: [StoredFile] { files.filter { file in !whole.contains { $0.sha256 == file.sha256 } } }
}
