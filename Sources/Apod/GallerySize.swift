/// The smaller copies that are made of each picture.
package enum GallerySize: CaseIterable, Sendable {
    package static let folder = "gallery"

    /// For grids.
    case small
    /// For phones and web pages.
    case large

    private var suffix: String {
        switch self {
        case .small: "480.webp"
        case .large: "1280.jpg"
        }
    }

    /// `2026-09-16-480.webp`; of the second picture `2026-09-16-2-480.webp`; of an item `00c0ffee00c0ffee-480.webp`.
    package func name(of picture: PictureKey) -> String { name(picture.key.mark, picture.number) }

    private func name(_ mark: String, _ number: Int) -> String {
        "\(mark)\(number > 1 ? "-\(number)" : "")-\(suffix)"
    }

    /// The folder below `gallery` that has the copies of a day's year, or of a list.
    package static func folder(of key: Key) -> String {
        switch key {
        case .day(let day): "\(day.year)"
        case .item(let item): item.list.path()
        }
    }

    /// The path below the root.
    package func path(of picture: PictureKey) -> String {
        "\(Self.folder)/\(Self.folder(of: picture.key))/\(name(of: picture))"
    }

    package func path(of key: Key) -> String { path(of: PictureKey(key)) }

    package static func paths(of picture: PictureKey) -> [String] { allCases.map { $0.path(of: picture) } }

    /// The key's mark with which a name begins; nil for any other name.
    package static func mark(atStartOf name: some Collection<UInt8>) -> String? {
        func start(_ count: Int) -> String { name.prefix(count).text }
        if Day(start(10)) != nil { return start(10) }
        return Key.isMark(start(Key.markLength)) ? start(Key.markLength) : nil
    }

    /// The key's mark and the picture's number in the name of a smaller copy; nil for any other name.
    package static func picture(in name: String) -> (mark: String, number: Int)? {
        guard let mark = mark(atStartOf: name.utf8), name.utf8.starts(with: "\(mark)-".utf8) else { return nil }
        let numbers = 1...FileName.furtherNumbers.upperBound
        return numbers.first { number in allCases.contains { $0.name(mark, number) == name } }.map { (mark, $0) }
    }
}
