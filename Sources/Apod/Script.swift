/// Values in a script that stands in a file of its own or in a page.
package enum Script {
    /// In JSON, `<` stands in strings only: as `\u003c` it ends no script, and begins no comment.
    package static func value(_ json: JSON) -> [UInt8] {
        var bytes: [UInt8] = []
        let compact = json.compact
        bytes.reserveCapacity(compact.count)
        for byte in compact {
            if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
        }
        return bytes
    }
}
