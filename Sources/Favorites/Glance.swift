package import Apod
package import Archive
package import Files

/// A look at the favorites folder for somebody who may not note anything: which days it stands for now.
package struct Glance {
    private let recognition: Recognition
    package private(set) var days: Set<Day> = []

    package init(at root: Folder, _ catalog: Catalog) {
        recognition = Recognition(root: root, catalog: catalog)
        if let top = try? root.favorites(.top) { visit(top, depth: 0) }
    }

    private mutating func visit(_ folder: Folder, depth: Int) {
        var inner: [Name] = []
        try? folder.visit { name, kind in
            switch recognition.look(at: name, in: folder, depth: depth, kind: kind) {
            case .own(let day), .meaning(.day(let day)): days.insert(day)
            case .file(mayBeCopy: true): days.formUnion(original(of: name, in: folder))
            case .album: inner.append(name)
            default: break
            }
        }
        guard depth < Scan.deepest else { return }
        for name in inner {
            if let folder = try? folder.folder(name) { visit(folder, depth: depth + 1) }
        }
    }

    private func original(of name: Name, in folder: Folder) -> [Day] {
        guard let file = try? folder.file(name), let original = try? recognition.original(of: file, named: name) else {
            return []
        }
        return [original.day]
    }
}
