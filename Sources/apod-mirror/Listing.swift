/// How a command lists days.
enum Listing: String {
    case titles
    /// The same, with the places where the words are.
    case excerpts
    case paths
    case json
}
