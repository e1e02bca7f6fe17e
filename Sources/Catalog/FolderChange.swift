/// How the favorites folder differs from what is remembered of it.
package struct FolderChange: Sendable {
    package var seen: [(place: Place, meaning: Meaning)] = []
    /// Links that are not there any more, in a way that may not have been meant.
    package var vanished: [Link] = []
    /// Taken away, and meant so.
    package var gone: [Place] = []
    /// What the folders are that were looked at.
    package var fingerprints: [Album: String] = [:]

    package init() {}

    package var isEmpty: Bool { seen.isEmpty && vanished.isEmpty && gone.isEmpty && fingerprints.isEmpty }
}
