import Apod
import Store

/// `index.html`: the frame of the gallery, which scripts fill. Its Content-Security-Policy allows no other server, and
/// no script in the page itself.
struct IndexPage {
    static let name = "index.html"
    static let frame = PackageResources.index_html.text

    let bar: ArchiveBar
    /// The day whose texts the page has, so that it needs no file of its year for them, and whose copy of 1280 pixels is to
    /// be loaded first.
    var newest: (entry: Feed.Entry, text: DayText)?
    /// The other lists that it leads to.
    var lists: [ListName] = []

    var bytes: [UInt8] {
        let data = bar.years.last.map { "<script src=\"gallery/data/\($0.year).js{version}\" defer></script>\n" }
        let preload = newest.flatMap { newest in
            newest.entry.hasLarge
                ? "<link rel=\"preload\" as=\"image\" href=\"\(GallerySize.large.path(of: .day(newest.entry.day)))\">\n"
                : nil
        }
        let words = newest.map { Script.value($0.text.json(of: $0.entry.day)).text }
        let years = bar.years.map { year, letters in
            "<a href=\"#\(year)\" data-days=\"\(letters)\">\(year)</a>\n"
        }
        let names = lists.map(\.description).joined(separator: " ")
        let link = names.isEmpty ? "" : "<a href=\"#lists\" data-names=\"\(names)\">Lists</a>\n"
        let parts = [
            ("{mark}", GeneratedFile.page), ("{newest}", data ?? ""), ("{version}", Look.version),
            ("{first}", preload ?? ""), ("{years}", years.joined()), ("{lists}", link),
            ("{words}", words ?? ""),
        ]
        return Array(parts.reduce(Self.frame) { $0.replacing($1.0, with: $1.1) }.utf8)
    }
}
