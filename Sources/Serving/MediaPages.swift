import Apod
import HTTP

/// Media under NASA's paths, and the pictures of the old site.
struct MediaPages {
    let pages: TreePages

    private var days: DayIndex { pages.root.days }

    private static let originals = "/content/dam/"
    private static let renditions = "/dynamicimage/assets/"

    /// The file that came from a path, or the original of a rendition.
    func answer(_ request: Request) -> Response {
        let path = Self.path(of: request)
        let original =
            path.hasPrefix(Self.renditions) ? Self.originals + path.dropFirst(Self.renditions.count) : nil
        guard let (day, file) = days.file(at: path) ?? original.flatMap({ days.file(at: $0[...]) }),
            // NASA has no renditions of these.
            original == nil || file.type != .gif
        else { return TreePages.missing }
        return pages.answer(day.name.path(file)) ?? TreePages.missing
    }

    /// The path as it came, still encoded, as in addresses of files.
    private static func path(of request: Request) -> Substring { request.target.prefix { $0 != "?" } }

    // MARK: The old site's names

    private static let copy = 1280

    /// The name of a day's picture on the old site: NASA's, where its address has one.
    static func oldName(of file: StoredFile, _ day: IndexedDay) -> String {
        let name = file.address.path.split(separator: "/").last.map(String.init) ?? ""
        return name.contains(".") ? name : Percent.path(day.name.with(file))
    }

    /// The smaller copy's name, for a browser; the picture's own where there is none.
    static func oldScreenName(of file: StoredFile, _ day: IndexedDay) -> String {
        let name = oldName(of: file, day)
        return day.hasCopies ? "\(stem(of: name))_\(copy).jpg" : name
    }

    private static func stem(of name: String) -> String { FileName.parts(of: name)?.stem ?? name }

    /// A name as NASA's old service told it: `Orion_Rider_960.jpg`, `OrionRider1024c.jpg` of `Orion_Rider_4000.jpg`. NASA
    /// kept no rule; of 2017's 336 names, this finds 306, and no other day's picture.
    struct Sized {
        /// What stands before the size.
        let front: Substring.UTF8View
        /// The width; nil where none is told.
        let size: Int?

        private static let shortest = 5

        init(_ stem: String) {
            let bytes = stem.utf8
            func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
            let end = bytes.lastIndex(where: isDigit).map(bytes.index(after:)) ?? bytes.startIndex
            let start = bytes[..<end].lastIndex { !isDigit($0) }.map(bytes.index(after:)) ?? bytes.startIndex
            let isSize = bytes[end...].count <= 2 && 3...4 ~= bytes[start..<end].count
            size = isSize ? Int(stem[start..<end]) : nil
            let front = isSize ? bytes[..<start] : bytes[...]
            self.front = isSize && front.last.map("_-".utf8.contains) == true ? front.dropLast() : front
        }

        func fits(_ original: String) -> Bool {
            front.elementsEqual(original.utf8) || front.count >= Self.shortest && original.utf8.starts(with: front)
        }
    }

    /// `/apod/image/2611/Orion.jpg`, or a size of it, `/apod/image/2611/Orion_1024.jpg`: that picture or a larger one.
    func old(_ request: Request) -> Response {
        let path = Self.path(of: request)
        if let (day, file) = days.file(at: path) { return pages.answer(day.name.path(file)) ?? TreePages.missing }
        guard request.path.count == 4, let first = Day(compact: request.path[2] + "16") else {
            return TreePages.missing
        }
        let name = String(path.split(separator: "/").last ?? "")
        let month = (days.year(first.year)?.days ?? []).filter { $0.day?.month == first.month }
        let files = month.flatMap { day in day.files.map { (day, $0) } }.filter { $1.role != .page }
        if let (day, file) = files.first(where: { Self.oldName(of: $1, $0) == name }) {
            return pages.answer(day.name.path(file)) ?? TreePages.missing
        }
        let sized = Sized(Self.stem(of: name))
        // Of several that begin so, the one whose own name, without its size, says the least besides.
        let fitting = files.filter { $1.isImage && sized.fits(Self.stem(of: Self.oldName(of: $1, $0))) }
        let rests = fitting.map { Sized(Self.stem(of: Self.oldName(of: $1, $0))).front.count }
        guard let ((day, file), _) = zip(fitting, rests).min(by: { $0.1 < $1.1 }) else { return TreePages.missing }
        let isMet = day.hasCopies && !file.role.isFurther && (sized.size ?? .max) <= Self.copy
        return pages.answer(isMet ? GallerySize.large.path(of: day.key) : day.name.path(file)) ?? TreePages.missing
    }
}
