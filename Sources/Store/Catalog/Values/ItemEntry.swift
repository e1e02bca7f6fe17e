package import Apod

/// An item's name and its place in the list: larger than that of what comes later.
package struct ItemEntry: Sendable {
    let id: String
    package let name: FileName
    let place: Int

    package init(id: String, name: FileName, place: Int) { (self.id, self.name, self.place) = (id, name, place) }

    /// The place of the first item that comes in at a moment.
    static func place(at moment: Int) -> Int { moment * 1_000_000 }
}
