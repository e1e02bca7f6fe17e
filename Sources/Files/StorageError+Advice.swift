import Glibc

/// What a person reads: what went wrong, and what to do where that is known.
extension StorageError: CustomStringConvertible {
    package var description: String { withoutAdvice + (advice.map { "; \($0)" } ?? "") }

    /// nil where the error does not tell.
    package var advice: String? { code == EPERM ? FileSystem.adviceOnFixed(path) : nil }
}
