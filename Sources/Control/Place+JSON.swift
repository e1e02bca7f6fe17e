internal import Apod
internal import Catalog

extension Place {
    /// The path below the favorites folder: a string, or an array of bytes if it is not UTF-8.
    var json: JSON {
        let path = album.inner(name).path
        return String(validating: path, as: UTF8.self).map(JSON.string) ?? .array(path.map { .integer(Int($0)) })
    }

    init?(_ json: JSONText) {
        let bytes = json.elements?.compactMap { $0.integer.flatMap(UInt8.init(exactly:)) }
        guard bytes?.count == json.elements?.count, let path = json.string.map({ Array($0.utf8) }) ?? bytes else {
            return nil
        }
        self.init(path: path)
    }
}
