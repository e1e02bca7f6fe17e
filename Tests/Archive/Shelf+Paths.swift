import Apod
import Archive
import Catalog
import TestSupport

extension Shelf {
    /// Where something in the mirror is.
    subscript(path: String) -> String { "\(root)/\(path)" }

    var openCatalog: Catalog { get throws { try archive().catalog } }

    /// As when the program ends, and the catalog is lost.
    func forget() async throws {
        try await close()
        removeCatalog()
    }
}

/// A day of that month of 2026.
func november(_ number: Int) -> Day { Day(year: 2026, month: 11, day: number)! }
