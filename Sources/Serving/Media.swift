internal import Apod
internal import HTTP

/// Media under NASA's paths, and the pictures of the old site.
struct Media {
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
        return pages.answer(day.path(of: file)) ?? TreePages.missing
    }

    /// The path as it came, still encoded, as in addresses of files.
    private static func path(of request: Request) -> Substring { request.target.prefix { $0 != "?" } }

    // MARK: The old site's names

    static let screenMark = "_1280.jpg"

    /// The name of a day's picture on the old site: NASA's, where its address has one.
    static func oldName(of file: StoredFile, _ day: IndexedDay) -> String {
        let name = file.address.path.split(separator: "/").last.map(String.init) ?? ""
        return name.contains(".") ? name : Percent.path(day.name.with(file))
    }

    /// The smaller copy's name, for a browser; the picture's own where there is none.
    static func oldScreenName(of file: StoredFile, _ day: IndexedDay) -> String {
        let name = oldName(of: file, day)
        return day.hasCopies ? (FileName.parts(of: name)?.stem ?? name) + screenMark : name
    }

    /// `/apod/image/2611/Orion.jpg`
    func old(_ request: Request) -> Response {
        let path = Self.path(of: request)
        if let (day, file) = days.file(at: path) { return pages.answer(day.path(of: file)) ?? TreePages.missing }
        guard request.path.count == 4, let first = Day(compact: request.path[2] + "16") else {
            return TreePages.missing
        }
        let name = path.split(separator: "/").last ?? ""
        for day in days.year(first.year)?.days ?? [] where day.day.month == first.month {
            for file in day.files where file.role != .page {
                if Self.oldName(of: file, day) == name {
                    return pages.answer(day.path(of: file)) ?? TreePages.missing
                }
                if file.isImage, !file.role.isFurther, day.hasCopies, Self.oldScreenName(of: file, day) == name {
                    return pages.answer(GallerySize.large.path(of: day.day)) ?? TreePages.missing
                }
            }
        }
        return TreePages.missing
    }
}
