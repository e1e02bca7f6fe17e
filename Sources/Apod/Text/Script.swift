/// Values in a script that stands in a file of its own or in a page.
package enum Script {
    /// In JSON, `<` stands in strings only: as `\u003c` it ends no script, and begins no comment.
    package static func value(_ json: JSON) -> [UInt8] {
        let compact = json.compact
        let mark = UInt8(ascii: "<")
        guard compact.contains(mark) else { return compact }
        return Array(compact.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\\u003c".utf8))
    }
}
