package import Apod

/// One day at the fake NASA. What is not given is invented, always in the same way.
package struct Entry: Sendable {
    package enum Format: String, Sendable { case jpg, png, gif }

    package enum Media: Sendable {
        case picture(Format)
        /// An mp4 with its poster.
        case video
        /// A player of YouTube's with a poster here.
        case youTube(id: String)
        case text
        /// Nothing but a stand-in.
        case placeholder
    }

    package let day: Day
    package var media: Media
    /// Plain text; the service puts in the entities.
    package var title: String
    /// HTML without its label and its tail.
    package var explanation: String?
    /// HTML.
    package var credit: String
    /// Empty: the boilerplate of days that were carried over.
    package var alt = ""
    package var bytes: Int
    package var width = 640
    package var height = 480
    /// Another seed is another picture of the same size.
    package var seed: UInt64
    /// What the files are called, without the suffix, and where they are: `2026/november`.
    package var file: String
    package var folder: String
    /// The day under which the site's own list has it; nil: the same.
    package var filed: Day?
    /// The pictures beside the first.
    package var further: [Further] = []
    /// Makes the bytes of a file, `part` times smaller to each side. Without it, and where it makes none, they are one
    /// grey tone and as many as asked for.
    package var making: (@Sendable (_ entry: Entry, _ path: String, _ part: Int) -> Body?)?

    package struct Further: Sendable {
        /// What stands behind the first's file name: `Lantern_261120_b.jpg`.
        package let name: String
        /// Shown in the place of the first under the pointer.
        package let isRollover: Bool
        package let alt: String

        package init(_ name: String, isRollover: Bool = false, alt: String = "") {
            (self.name, self.isRollover, self.alt) = (name, isRollover, alt)
        }
    }

    package init(_ day: Day, _ media: Media = .picture(.jpg), title: String? = nil, bytes: Int = 20_000) {
        self.day = day
        self.media = media
        self.title = title ?? Invented.title(day)
        self.bytes = bytes
        credit = Self.credit(day)
        seed = UInt64(day.number)
        file = Invented.file(day)
        folder = "\(day.year)/\(day.monthName.lowercased())"
    }

    private static func credit(_ day: Day) -> String {
        let person = Invented.person(day)
        let link = "<a href=\"https://people.example/?who=\(day.number % 4)&amp;x=1\">\(person)</a>"
        if day.isNative { return link }
        return day.number % 2 == 0
            ? "<b> Image Credit: </b> \(link) , Example Observatory"
            : "<b> Image Credit &amp; Copyright: </b> \(link)"
    }

    /// Days in a row, the last of them `newest`, without those that were never published.
    package static func days(_ count: Int, newest: Day, bytes: Int = 20_000) -> [Entry] {
        var entries: [Entry] = []
        for number in stride(from: newest.number, through: Day.first.number, by: -1) where entries.count < count {
            let day = newest.advanced(by: number - newest.number)
            if !unpublished.contains("\(day)") { entries.append(Entry(day, bytes: bytes)) }
        }
        return entries.reversed()
    }

    private static let unpublished: Set = ["1995-06-17", "1995-06-18", "1995-06-19", "2020-06-10"]
}

/// The files of a day.
extension Entry {
    package static let originals = "/content/dam/science/cds/apod/apod/"
    package static let renditions = "/dynamicimage/assets/science/cds/apod/apod/"

    package struct File: Sendable {
        /// Below the folder of all pictures: `2026/november/Lantern_261120_2048.jpg`.
        package let path: String
        package let type: String
        /// Changes with the content.
        package let tag: String
        fileprivate let entry: Entry
        fileprivate let format: Format?

        package var original: Body? { body(1) }
        /// What is made of it for screens, smaller and different; nil where there is none.
        package var rendition: Body? { format == nil || format == .gif ? nil : body(4) }
    }

    package var files: [File] { paths.map { file($0) } }

    var paths: [String] {
        switch media {
        case .picture(let format):
            ["\(folder)/\(file).\(format.rawValue)"] + furtherPaths
        case .video: ["\(folder)/\(file).mp4", "\(folder)/\(file).jpg"] + furtherPaths
        case .youTube: ["\(folder)/\(file).jpg"]
        case .text, .placeholder: []
        }
    }

    var furtherPaths: [String] { further.map { "\(folder)/\(file)_\($0.name).jpg" } }

    func file(_ path: String) -> File {
        let format = Format(rawValue: String(path.suffix(3)))
        return File(
            path: path, type: Self.type(format), tag: "\(day.compact)-\(seed)-\(bytes)", entry: self, format: format)
    }

    private static func type(_ format: Format?) -> String {
        switch format {
        case .jpg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case nil: "video/mp4"
        }
    }

    fileprivate func picture(_ format: Format, _ path: String, _ part: Int) -> Body {
        let (width, height, bytes) = (max(width / part, 1), max(height / part, 1), max(bytes / part, 400))
        let other = furtherPaths.contains(path) ? path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) } : 0
        let seed = seed ^ UInt64(part - 1) ^ other
        return switch format {
        case .jpg: Pictures.jpeg(width: width, height: height, bytes: bytes, seed: seed)
        case .png: Pictures.png(width: width, height: height, bytes: bytes, seed: seed)
        case .gif: Pictures.gif(width: width, height: height, bytes: bytes, seed: seed)
        }
    }
}

extension Entry.File {
    private func body(_ part: Int) -> Body {
        entry.making?(entry, path, part)
            ?? format.map { entry.picture($0, path, part) } ?? Pictures.mp4(bytes: entry.bytes, seed: entry.seed)
    }
}
