import Apod

/// Breaks text into lines.
enum Lines {
    /// No line is longer than `width` scalars unless a single word is. Each paragraph begins a new one.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        text.unicodeScalars.split(separator: "\n").flatMap { paragraph in
            var lines: [String.UnicodeScalarView] = []
            for word in paragraph.split(whereSeparator: Text.isSpace) {
                if let last = lines.last, last.count + 1 + word.count <= width {
                    lines[lines.count - 1].append(" ")
                    lines[lines.count - 1].append(contentsOf: word)
                } else {
                    lines.append(String.UnicodeScalarView(word))
                }
            }
            return lines.map { String($0) }
        }
    }
}
