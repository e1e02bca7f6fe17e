package import Apod
package import Archive
package import Files
import Glibc

/// A look at the favorites folder for somebody who may not note anything: which days it stands for now.
package struct Glance {
    private let recognition: Recognition
    package private(set) var days: Set<Day> = []
    /// The folders, as they were before they were read.
    private var folders: [Album: File.Facts] = [:]
    private let begin: Int

    package init(at root: Folder, _ catalog: Catalog, now: Int = time(nil)) {
        recognition = Recognition(root: root, catalog: catalog)
        begin = now
        if let top = try? root.favorites(.top) { visit(top, .top) }
    }

    /// Whether something else may be there now.
    package func isOutdated(at root: Folder) -> Bool {
        for (album, facts) in folders where facts != (try? root.favorites(album)?.facts(of: ".")) { return true }
        // What happens in a folder at the time that it already shows cannot be seen from that.
        let isYoung = folders.values.contains { $0.changed >= begin - 2 }
        return isYoung || folders.isEmpty
    }

    private mutating func visit(_ folder: Folder, _ album: Album) {
        folders[album] = try? folder.facts(of: ".")
        let depth = album.depth
        var inner: [Name] = []
        try? folder.visit { name, kind in
            switch recognition.look(at: name, in: folder, depth: depth, kind: kind) {
            case .own(let day, _), .meaning(.day(let day, _)): days.insert(day)
            case .file(mayBeCopy: true): days.formUnion(original(of: name, in: folder))
            case .album: inner.append(name)
            default: break
            }
        }
        guard depth < Scan.deepest else { return }
        for name in inner {
            if let folder = try? folder.folder(name) { visit(folder, album.inner(name)) }
        }
    }

    private func original(of name: Name, in folder: Folder) -> [Day] {
        guard let file = try? folder.file(name), let original = try? recognition.original(of: file, named: name) else {
            return []
        }
        return [original.day]
    }
}
