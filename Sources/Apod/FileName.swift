@_spi(_Unicode) import Swift

/// The name of all files of a key, without the suffix: `2026-11-20 Orion Rising`. Behind it, a further picture has its
/// number: `2026-11-20 Orion Rising (2).jpg`.
///
/// Chosen once, from the first title; safe on ext4, NFS, SMB and in a shell.
///
/// The files of an item in another list are called by its title, behind its date if it has one.
package struct FileName: Hashable, Sendable {
    package let key: Key
    package let stem: String

    package var list: ListName? { key.list }

    /// The suffix of a `Document`.
    package static let json = "json"

    /// Leaves room, within 255 bytes, for a suffix and for what file managers put around a name ("Another link to …").
    fileprivate static let longest = 200
    /// Characters that some system forbids in names.
    static let forbidden = ASCIISet(":/\\|<>\"?*")

    package init(day: Day, title: String) {
        let stem = "\(day) \(Self.safe(title))"
        self.init(day, Self.trimmed(Self.cut(stem, to: Self.longest)))
    }

    private init(_ day: Day, _ stem: String) { (key, self.stem) = (.day(day), stem) }

    package init(_ item: ItemName) { (key, stem) = (.item(item), item.stem) }

    /// A stem read back from the disk or the catalog; nil unless it is one that `init(day:title:)` can have made.
    package init?(day: Day, stem: String) {
        let prefix = "\(day)"
        guard stem.utf8.starts(with: prefix.utf8) else { return nil }
        if Self.isPlain(stem) {
            self.init(day, stem)
            return
        }
        let made = FileName(day: day, title: String(stem.dropFirst(prefix.count)))
        guard made.stem.utf8.elementsEqual(stem.utf8) else { return nil }
        self = made
    }

    /// A whole file name with its suffix, as found on the disk: `2026-11-20 Orion Rising.json`.
    package init?(_ file: String, suffix: String, of list: ListName? = nil) {
        guard let parts = Self.parts(of: file), parts.suffix == suffix else { return nil }
        self.init(stem: parts.stem, of: list)
    }

    /// A stem whose first ten bytes name its day, or one of an item; nil for any other.
    package init?(stem: String, of list: ListName? = nil) {
        if let list {
            guard let item = ItemName(stem: stem, of: list) else { return nil }
            self.init(item)
            return
        }
        guard let day = Day(stem.utf8.prefix(10).text) else { return nil }
        self.init(day: day, stem: stem)
    }

    /// Splits a file name by bytes: a letter and the dot can be one `Character`. nil without a suffix.
    package static func parts(of file: String) -> (stem: String, suffix: String)? {
        guard let dot = file.utf8.lastIndex(of: ".") else { return nil }
        return (file.utf8[..<dot].text, file.utf8[dot...].dropFirst().text)
    }

    package func with(_ suffix: String, number: Int = 1) -> String { with(ending: "\(Self.mark(number)).\(suffix)") }
    package func with(ending: String) -> String { "\(stem)\(ending)" }

    /// The numbers of a day's further pictures.
    package static let furtherNumbers = 2...9

    static func mark(_ number: Int) -> String { number > 1 ? " (\(number))" : "" }

    /// The number of the day's file with this stem; nil for a stem that is not the day's.
    package func number(inStem other: String) -> Int? {
        if other == stem { return 1 }
        let (front, number) = Self.splitting(other)
        return front == stem ? number : nil
    }

    /// Splits the number of a further picture off a stem; 1 without one.
    static func splitting(_ stem: String) -> (front: String, number: Int) {
        for number in furtherNumbers where stem.utf8.reversed().starts(with: mark(number).utf8.reversed()) {
            return (stem.utf8.dropLast(mark(number).utf8.count).text, number)
        }
        return (stem, 1)
    }

    package var folder: String { key.folder }

    /// Whether a folder is named like that of a year, or like that of a month in it.
    package static func isYear(_ name: String) -> Bool { name.utf8.count == 4 && Int(name) != nil }
    package static func isMonth(_ name: String) -> Bool { name.utf8.count == 2 && Int(name) != nil }

    /// The path of the file with this suffix, below the mirror's root.
    package func path(_ suffix: String) -> String { path(of: with(suffix)) }
    package func path(of file: String) -> String { "\(folder)/\(file)" }

    /// What a file is called in a folder of all lists, two of which may have files of one name.
    package func name(amongLists file: String) -> String {
        let long = list.map { "\($0) \(file)" } ?? file
        return long.utf8.count <= 255 ? long : file
    }

    fileprivate static func safe(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        // Before the text is normalised: characters on both sides of an invisible one can compose.
        let visible = title.unicodeScalars.filter { Text.isSpace($0) || !Text.isInvisible($0) }
        for scalar in String(String.UnicodeScalarView(visible))._nfc {
            switch scalar {
            case ":": scalars.append(contentsOf: " - ".unicodeScalars)
            case "/", "\\", "|": scalars.append("-")
            case "<", ">", "\"", "?", "*": scalars.append(" ")
            case let scalar where Text.isSpace(scalar): scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        return Text.collapsed(String(scalars))
    }

    /// True if a stem is valid ASCII, with a space behind its day: a test without Unicode's slow tables.
    fileprivate static func isPlain(_ stem: String, behindDay start: Int = 10) -> Bool {
        let space: UInt8 = " "
        var before: UInt8 = "0"
        for (index, byte) in stem.utf8.enumerated() {
            guard 0x20..<0x7f ~= byte, !forbidden.contains(byte), index != start || index == 0 || byte == space,
                byte != space || before != space
            else { return false }
            before = byte
        }
        return before != space && before != "." && stem.utf8.count <= longest
    }

    /// At most `bytes` of UTF-8, ending between two characters as a person sees them.
    fileprivate static func cut(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var end = text.startIndex
        var size = 0
        for index in text.indices {
            size += text[index].utf8.count
            if size > bytes { break }
            end = text.index(after: index)
        }
        return String(text[..<end])
    }

    fileprivate static func trimmed(_ stem: String) -> String {
        var stem = Substring(stem)
        while let last = stem.unicodeScalars.last, last == "." || last == " " { stem.unicodeScalars.removeLast() }
        return String(stem)
    }
}

extension ItemName {
    /// The name of a new item: `2026-11-14 A spiral in Virgo`, `Mittens`. `number`: of those with one title, `Mittens (2)`.
    package init(title: String, date: String?, number: Int = 1, of list: ListName) {
        let mark = FileName.mark(number)
        func cut(_ text: String) -> String {
            FileName.trimmed(FileName.cut(text, to: FileName.longest - mark.utf8.count))
        }
        let plain = cut(String(FileName.safe(title).unicodeScalars.drop { ".-~ ".unicodeScalars.contains($0) }))
        // Windows takes what stands before the first dot for the name.
        let isDevice = Self.devices.contains(plain.prefix { $0 != "." }.lowercased())
        let title = plain.isEmpty || isDevice ? "Untitled \(plain)" : plain
        self.init(cut(date.map { "\($0) \(title)" } ?? title) + mark, of: list)
    }

    /// A stem read back from the disk or the catalog; nil unless `init(title:)` can have made it.
    package init?(stem: String, of list: ListName) {
        guard let first = stem.utf8.first, !".-~ ".utf8.contains(first), stem.utf8.count <= FileName.longest,
            FileName.isPlain(stem, behindDay: 0)
                || FileName.trimmed(FileName.safe(stem)).utf8.elementsEqual(stem.utf8)
        else { return nil }
        self.init(stem, of: list)
    }

    /// Names that Windows takes for devices.
    private static let devices = Set(["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })
}

extension Day {
    /// The folder that holds the day's files, below the mirror's root: `2026/11`.
    package var folder: String { "\(year)/\(Day.padded(month))" }
}

/// The name of an album that comes from the web: one folder in `favorites/`, visible, safe on every system, no path.
package struct AlbumName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// So many albums may be inside each other. Deeper folders are not looked into.
    package static let deepest = 32

    private static let longest = 200
    /// Letters and emoji are joined by them.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200c}", "\u{200d}"]

    package init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard 1...Self.longest ~= text.utf8.count, let first = scalars.first, let last = scalars.last,
            ![first, last].contains(where: { $0 == "." || Text.isSpace($0) || Text.isInvisible($0) }),
            !scalars.contains(where: { Text.isInvisible($0) && !Self.joiners.contains($0) }),
            !text.utf8.contains(where: FileName.forbidden.contains)
        else { return nil }
        description = text
    }
}
