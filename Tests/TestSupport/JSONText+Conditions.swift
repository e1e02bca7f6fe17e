package import Apod

extension JSONText {
    /// Of `status --json`: those with this code.
    package func conditions(_ code: String) -> [JSONText] {
        (self["conditions"]?.elements ?? []).filter { $0["code"]?.string == code }
    }
}
