package import Apod
import Synchronization

/// The catalogs of a mirror's other lists, each opened for reading when it is first asked for.
package final class ListCatalogs: Sendable {
    private let find: @Sendable () -> [ListName]
    private let open: @Sendable (ListName) -> Catalog?
    private let opened = Mutex<[ListName: Catalog]>([:])

    /// `open`: nil for a list of which nothing can be read.
    package init(find: @escaping @Sendable () -> [ListName], open: @escaping @Sendable (ListName) -> Catalog?) {
        (self.find, self.open) = (find, open)
    }

    package static let none = ListCatalogs(find: { [] }, open: { _ in nil })

    /// The lists of which something is here.
    var names: [ListName] { find() }

    subscript(list: ListName) -> Catalog? {
        opened.withLock { opened in
            // One that was set aside has a successor.
            if let known = opened[list], !known.hasMoved { return known }
            opened[list] = open(list)
            return opened[list]
        }
    }

    func close() { opened.withLock { $0 = [:] } }
}
