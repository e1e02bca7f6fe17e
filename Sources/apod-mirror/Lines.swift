import Apod

/// Breaks text into lines.
enum Lines {
    /// Wraps each paragraph to `width` scalars; only a single long word can exceed that.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        text.unicodeScalars.split(separator: "\n").flatMap { paragraph in
            filled(paragraph.split(whereSeparator: Text.isSpace).map { .init($0) }, to: width)
        }
    }

    /// Wraps a message, but does not break commands in backticks.
    static func wrapped(message: String, to width: Int) -> [String] { filled(words(of: message), to: width) }

    /// A text behind `front`, which `wrap` breaks into lines of the width that the terminal leaves.
    static func behind(_ front: String, wrap: (Int) -> [String]) -> String {
        let width = max(Terminal.outputWidth, 2 * front.count) - front.count
        return front + wrap(width).joined(separator: "\n" + String(repeating: " ", count: front.count))
    }

    private static func filled(_ words: [String.UnicodeScalarView], to width: Int) -> [String] {
        var lines: [String.UnicodeScalarView] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1].append(" ")
                lines[lines.count - 1].append(contentsOf: word)
            } else {
                lines.append(word)
            }
        }
        return lines.map { String($0) }
    }

    private static func words(of message: String) -> [String.UnicodeScalarView] {
        var words = [String.UnicodeScalarView()]
        var isCommand = false
        for scalar in message.unicodeScalars {
            if scalar == "`" { isCommand.toggle() }
            if scalar == " ", !isCommand {
                words.append(String.UnicodeScalarView())
            } else {
                words[words.count - 1].append(scalar)
            }
        }
        return words
    }
}
