internal import Apod
internal import Archive

/// `index.html`: the frame of the gallery, which scripts fill. Its Content-Security-Policy allows no other server, and
/// no script in the page itself.
struct IndexPage {
    static let name = "index.html"
    static let frame = String(decoding: PackageResources.index_html, as: UTF8.self)

    let bar: ArchiveBar
    /// The day whose copy of 1280 pixels is to be loaded first.
    var first: Day?
    /// The texts of the newest day, so that the page needs no file of its year for them.
    var words: JSON?
    /// The other lists that it leads to.
    var lists: [ListName] = []

    var bytes: [UInt8] {
        let newest = bar.years.last.map { year, _ in
            "<script src=\"gallery/data/\(year).js{version}\" defer></script>\n"
        }
        let parts = [
            ("{mark}", GeneratedFile.page), ("{newest}", newest ?? ""), ("{version}", Look.version),
            ("{first}", first.map(Self.preload) ?? ""), ("{years}", bar.years.map(Self.link).joined()),
            ("{lists}", Self.link(to: lists)),
            ("{words}", words.map { String(decoding: Script.value($0), as: UTF8.self) } ?? ""),
        ]
        return Array(parts.reduce(Self.frame) { $0.replacing($1.0, with: $1.1) }.utf8)
    }

    private static func preload(_ day: Day) -> String {
        "<link rel=\"preload\" as=\"image\" href=\"\(GallerySize.large.path(of: day))\">\n"
    }

    /// Nothing where there are none.
    static func link(to lists: [ListName]) -> String {
        let names = lists.map(\.description).joined(separator: " ")
        return names.isEmpty ? "" : "<a href=\"#lists\" data-names=\"\(names)\">Lists</a>\n"
    }

    private static func link(_ year: Int, _ letters: String) -> String {
        "<a href=\"#\(year)\" data-days=\"\(HTML.escaped(letters))\">\(year)</a>\n"
    }
}
