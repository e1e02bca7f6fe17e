/// JSON values in a script, which is a file of its own or part of a page.
package enum Script {
    /// Writes `<`, which JSON has in strings only, as `\u003c`, so that it ends no script and begins no comment.
    package static func value(_ json: JSON) -> [UInt8] {
        let compact = json.compact
        let mark = UInt8(ascii: "<")
        guard compact.contains(mark) else { return compact }
        return Array(compact.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\\u003c".utf8))
    }
}
