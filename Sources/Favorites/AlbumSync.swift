import Apod
import Files
import Store

/// Brings albums to the disk before the history says what is in them: after a power cut, a link that is recorded but missing
/// would count as removed by a person.
final class AlbumSync {
    private let root: Folder
    /// The albums whose own names are on the disk.
    private var named: [Album: String] = [:]

    init(root: Folder) { self.root = root }

    /// Syncs each album once, and the folder above it where its name is new; for an album that is gone, the folder that
    /// it was in. `files`: things that count by their content, which is synced, too. `open`: albums that are open.
    func sync(_ albums: Set<Album>, with files: [Album: [Name]] = [:], open: [Album: Folder] = [:]) throws {
        /// The folders that are on the disk; nil is the root.
        var synced: Set<Album?> = []
        func sync(_ folder: Folder, of album: Album?) throws {
            if synced.insert(album).inserted { try folder.sync() }
        }
        for album in albums {
            var (folder, reached) = (root, Album?.none)
            if let there = open[album], let print = try there.fingerprint(), named[album] == print {
                (folder, reached) = (there, album)
            } else {
                for (name, next) in zip([.favorites] + album.names, album.way) {
                    guard let inner = try folder.inner(name) else { break }
                    let print = try inner.fingerprint()
                    if print == nil || named[next] != print { try sync(folder, of: reached) }
                    named[next] = print
                    (folder, reached) = (inner, next)
                }
            }
            if reached == album {
                for name in files[album] ?? [] where (try? folder.facts(of: name))?.isRegular == true {
                    try? folder.file(name)?.sync()
                }
            }
            try sync(folder, of: reached)
        }
    }
}

extension Folder {
    /// Returns nil for a folder that is missing or cannot be entered: nothing was seen in it, either.
    fileprivate func inner(_ name: Name) throws -> Folder? {
        do { return try folder(name) } catch {
            if error.problem.isDeadEnd { return nil }
            throw error
        }
    }
}
