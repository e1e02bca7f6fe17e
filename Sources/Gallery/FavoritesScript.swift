internal import Apod
internal import Archive

/// `gallery/data/favorites.js`: the favorites and their albums, newest day first.
enum FavoritesScript {
    static let name = "favorites.js"

    static func bytes(_ favorites: KnownFavorites) -> [UInt8] {
        var bytes = Array("\(GeneratedFile.script)apod.favorites([\n".utf8)
        for favorite in favorites.days.sorted(by: >).compactMap(favorites.favorite) {
            let day: [JSON] = [.day(favorite.day), .strings(favorite.albums)]
            bytes += Script.value(.array(day)) + ",\n".utf8
        }
        return bytes + Array("]);\n".utf8)
    }
}
