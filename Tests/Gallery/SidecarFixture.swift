import Apod
import Archive
import Catalog
import Files
import Gallery
import TestSupport

extension GalleryFixture {
    func sidecars(_ areWanted: Bool = true) throws -> Sidecars { try Sidecars(archive, areWanted: areWanted) }

    /// A day with what only its record tells.
    func add(_ day: Day, _ title: String, _ text: String = "Text.", credit: String?, copyright: String?) async throws {
        try await add(day, title, text) {
            ($0.credit, $0.copyright) = (credit, copyright)
            $0.permalink = WebAddress("https://science.nasa.gov/apod/?a=1&b=2")
        }
    }

    /// The names of all that could be a sidecar, without its month.
    var sidecarNames: [String] {
        listing(root).filter { $0.hasSuffix(".xmp") && !$0.hasPrefix(".apod") }.map { String($0.dropFirst(8)) }
    }

    /// The lines of a month's `.hidden`.
    func hidden(_ month: String = "2026/11") throws -> [String] {
        try text("\(month)/.hidden").split(separator: "\n").map(String.init)
    }
}
