package import Apod
import Files
import Store

/// The text of a link's target, and what it says without being followed.
package struct LinkTarget: Sendable {
    package enum Tail: Sendable, Equatable {
        /// `…/2026/11/2026-11-20 Orion Rising.jpg`, or only the date at its end, or `…/lists/cats/Mittens.jpg`: a file of
        /// any mirror.
        case file(Key)
        /// `2026-11-20`, and nothing else.
        case date(Day)
        /// `2026-11-20 Orion Rising.jpg`, and nothing else, as in a link made beside the file.
        case name(Day)
        /// `…/gallery/2026/2026-11-20-480.webp`, or only its name, or where `latest.jpg` leads: a copy of a day's picture
        /// in any mirror; `…/gallery/lists/cats/00c0ffee00c0ffee-480.webp`: of an item's.
        case copy(of: String, number: Int, list: ListName?)
        case other
    }

    package let bytes: [UInt8]
    package let tail: Tail
    /// `bytes` without the parts that the kernel ignores.
    private let path: [UInt8]
    /// Where the last component of the path begins.
    private let base: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        path = Self.path(bytes)
        base = (path.lastIndex(of: Self.slash) ?? -1) + 1
        tail = Self.tail(path, base: base)
    }

    /// The target of the link at a path; nil if there is no link.
    package init?(linkAt path: String) {
        guard let folder = try? Folder.open("."), let bytes = try? folder.readTarget(of: path) else { return nil }
        self.init(bytes)
    }

    var isAbsolute: Bool { path.first == Self.slash }

    /// The path below a root; nil for a path that does not begin with the root.
    func path(below root: String) -> [UInt8]? {
        path.starts(with: "\(root)/".utf8) ? Array(path.dropFirst(root.utf8.count + 1)) : nil
    }

    package var key: Key? {
        switch tail {
        case .file(let key): key
        case .date(let day), .name(let day): .day(day)
        case .copy(let mark, _, nil): Day(mark).map(Key.day)
        case .copy, .other: nil
        }
    }

    /// Whether it names a file of the tree.
    package var namesFile: Bool {
        switch tail {
        case .file, .name: true
        case .date, .copy, .other: false
        }
    }

    /// Its name has the form of a date, and is no day.
    package var saysNoDay: Bool {
        key == nil && text.wholeMatch(of: /[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}/) != nil
    }

    private static let slash: UInt8 = "/"
    private static let dot: UInt8 = "."

    /// Removes empty components and single dots (path_resolution(7)), except the first component, as a leading slash
    /// counts, and the last, as a slash or dot at the end demands a folder.
    private static func path(_ bytes: [UInt8]) -> [UInt8] {
        // Most targets have neither.
        let hasSome = bytes.indices.dropFirst().contains { index in
            bytes[index] == slash
                && (bytes[index - 1] == slash || index > 1 && bytes[index - 1] == dot && bytes[index - 2] == slash)
        }
        guard hasSome else { return bytes }
        let parts = bytes.split(separator: slash, omittingEmptySubsequences: false)
        let between = parts.dropFirst().dropLast().filter { !$0.isEmpty && !$0.elementsEqual([dot]) }
        return Array((parts.prefix(1) + between + parts.suffix(1)).joined(separator: [slash]))
    }

    private static func tail(_ bytes: [UInt8], base: Int) -> Tail {
        let tail = tailOfDay(bytes, base: base)
        if tail != .other { return tail }
        if let copy = copy(bytes, base: base), base == 0 || isBelow("\(copy.folder)/", bytes, base: base) {
            return .copy(of: copy.mark, number: copy.number, list: copy.list)
        }
        return Key(itemOfFile: bytes).map(Tail.file) ?? .other
    }

    private static func tailOfDay(_ bytes: [UInt8], base: Int) -> Tail {
        let name = bytes[base...]
        guard let day = day(at: name), name.count == 10 || " .".utf8.contains(name[base + 10])
        else { return .other }
        if base == 0 { return name.count == 10 ? .date(day) : .name(day) }
        return isBelow("\(day.folder)/", bytes, base: base) ? .file(.day(day)) : .other
    }

    /// The mark and number of the picture of which a file with this name is a copy, its list by the folder above, and the
    /// copy's folder below the root; nil for any other file.
    private static func copy(
        _ bytes: [UInt8], base: Int
    ) -> (mark: String, number: Int, list: ListName?, folder: String)? {
        let name = bytes[base...].text
        if let latest = LatestCopy(name: name) { return ("\(latest.day)", 1, nil, LatestCopy.folder) }
        guard let (mark, number) = GallerySize.picture(in: name) else { return nil }
        if let day = Day(mark) {
            return (mark, number, nil, "\(GalleryFolder.name)/\(GallerySize.folder(of: .day(day)))")
        }
        let list = ListName(atEndOf: bytes[..<base].split(separator: slash)[...])
        return list.map { (mark, number, $0, "\(GalleryFolder.name)/\($0.path())") }
    }

    /// Whether the folder stands right before the name, after a slash or at the very beginning.
    private static func isBelow(_ folder: String, _ bytes: [UInt8], base: Int) -> Bool {
        let (before, folder) = (bytes[..<base], folder.utf8)
        return before.suffix(folder.count).elementsEqual(folder)
            && (before.count == folder.count || before.dropLast(folder.count).last == slash)
    }

    private static func day(at name: ArraySlice<UInt8>) -> Day? {
        guard name.count >= 10, name[name.startIndex + 4] == "-" else { return nil }
        return Day(name.prefix(10).text)
    }

    /// Whether it has the form that `own` writes for an album of this depth.
    package func isOwn(in depth: Int) -> Bool {
        guard case .file(let key) = tail else { return false }
        // No text is made: this is asked of every link, again and again.
        let (folder, climb) = (key.folder.utf8, 3 * (depth + 1))
        return base == climb + folder.count + 1 && bytes.count == path.count
            && bytes[climb..<base - 1].elementsEqual(folder)
            && bytes.indices.prefix(climb).allSatisfy { bytes[$0] == ($0 % 3 == 2 ? Self.slash : Self.dot) }
            && (name.allSatisfy { $0 < 0x80 } || String(validating: name, as: UTF8.self) != nil)
    }

    /// The path below the root of a smaller copy; nil for other targets.
    var generated: String? {
        guard case .copy = tail else { return nil }
        return Self.copy(path, base: base).map { "\($0.folder)/\(text)" }
    }

    /// The number of the picture that it names, among those of its day; 1 where it names none.
    func number(in day: FileName) -> Int {
        if case .copy(_, let number, _) = tail { return number }
        return day.number(inStem: stem) ?? 1
    }

    /// The last component.
    package var name: ArraySlice<UInt8> { path[base...] }

    /// The last component as text.
    var text: String { name.text }

    /// The last component without its suffix.
    package var stem: String { FileName.parts(of: text)?.stem ?? text }

    /// The target that the mirror writes: the climb out of an album, and the way to a file of the tree.
    package static func own(_ file: String, of key: Key, in depth: Int) -> String {
        String(repeating: "../", count: depth + 1) + key.path(of: file)
    }

    /// The target that asks for a day, or waits for an item.
    static func asking(for key: Key, in depth: Int) -> String {
        key.list == nil ? key.front : own(key.front, of: key, in: depth)
    }
}
