/// A call as strace writes it: `renameat(3</a>, "x", 4</b>, "y") = 0`.
struct DiskCall {
    let name: String
    private let arguments: [Substring]
    private let result: Substring

    init?(_ text: String) {
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: "="),
            let close = text[..<end].lastIndex(of: ")"), start < close
        else { return nil }
        name = String(text[..<start])
        arguments = Self.split(text[text.index(after: start)..<close])
        result = text[text.index(after: end)...].drop { $0 == " " }
    }

    var hasFailed: Bool { result.hasPrefix("-") || result.hasPrefix("?") }

    func has(_ flag: String) -> Bool { arguments.last?.contains(flag) == true }

    /// Of a descriptor, or of a name in the folder that another argument is.
    func path(_ index: Int, in folder: Int?) -> String? {
        guard arguments.indices.contains(index) else { return nil }
        let argument = arguments[index]
        guard argument.hasPrefix("\"") else { return Self.annotation(argument) }
        let name = Self.plain(argument.dropFirst().dropLast())
        if name.hasPrefix("/") { return name }
        guard let folder, let folder = Self.annotation(arguments[folder]) else { return nil }
        return "\(folder)/\(name)"
    }

    /// `3</srv/apod>`
    private static func annotation(_ argument: Substring) -> String? {
        guard let open = argument.firstIndex(of: "<"), let close = argument.lastIndex(of: ">"), open < close else {
            return nil
        }
        let path = plain(argument[argument.index(after: open)..<close])
        return path.hasPrefix("/") ? path : nil
    }

    /// At the commas that are neither in a name nor in a path: in those, `"`, `<` and `>` are escaped.
    private static func split(_ text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var closing: Character?
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if closing != nil, character == "\\" {
                isEscaped = true
            } else if let wanted = closing {
                if character == wanted { closing = nil }
            } else if character == "\"" || character == "<" {
                closing = character == "<" ? ">" : character
            } else if character == "," {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return (parts + [text[start...]]).map { $0.drop { $0 == " " } }
    }

    /// Without strace's escapes, which are those of C.
    private static func plain(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(3).prefix { UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }
            rest = rest.dropFirst(max(digits.count, 1))
            let controls: [UInt8: UInt8] = [UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13]
            bytes.append(
                digits.isEmpty ? controls[next] ?? next : UInt8(String(decoding: digits, as: UTF8.self), radix: 8)!)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
