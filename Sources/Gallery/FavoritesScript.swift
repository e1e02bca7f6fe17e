internal import Apod
internal import Archive

/// `gallery/data/favorites.js`: the favorites and their albums, newest day first. Items of other lists, by their paths
/// without a suffix (`Subject.description`), are in an array of their own.
enum FavoritesScript {
    static let name = "favorites.js"

    static func bytes(_ favorites: KnownFavorites) -> [UInt8] {
        let subjects = favorites.subjects.sorted(by: >)
        let items = subjects.prefix { $0.list != nil }
        var bytes = Array("\(GeneratedFile.script)apod.favorites([\n".utf8)
        func append(_ subjects: some Sequence<Subject>) {
            for subject in subjects {
                let entry: [JSON] = [.string("\(subject)"), .strings(favorites.albums(of: subject))]
                bytes += Script.value(.array(entry)) + ",\n".utf8
            }
        }
        append(subjects.dropFirst(items.count))
        if !items.isEmpty {
            bytes += "], [\n".utf8
            append(items)
        }
        return bytes + Array("]);\n".utf8)
    }
}
