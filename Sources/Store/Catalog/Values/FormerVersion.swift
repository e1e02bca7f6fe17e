package import Apod

/// A former version of an item, as the catalog lists it: what can be read of its folder, in short.
package struct FormerVersion: Sendable, Equatable {
    package let key: Key
    package let number: Int
    /// When another took its place; seconds since 1970.
    package let replaced: Int
    /// Of its files: pictures, videos, pages. None where texts alone were replaced, or the files were deleted.
    package let kinds: [String]
    /// The size of its files.
    package let bytes: Int
    package let jsonBytes: Int
    /// By a person, not by the upstream.
    package let isReverted: Bool
    /// `keep` or `max-total` deleted its files.
    package let isDeleted: Bool
}
