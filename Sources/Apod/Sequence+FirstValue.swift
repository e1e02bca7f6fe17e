extension Sequence {
    /// The first value that `find` returns. It is asked once for each element; `lazy.compactMap(_:).first` asks twice, and
    /// ends the program where the second answer is nil.
    package func firstValue<Value>(_ find: (Element) -> Value?) -> Value? {
        for element in self { if let value = find(element) { return value } }
        return nil
    }
}
