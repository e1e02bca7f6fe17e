import Apod
import Files
import HTTP

/// The folder itself, as far as it is public: its files, and lists of folders without `index.html`.
struct TreePages {
    let root: PublishedTree.Root

    static let missing = Response.refusal(404, "There is nothing at this address.")

    func answer(_ request: Request) -> Response {
        let path = request.path.joined(separator: "/")
        switch root.content(at: path) {
        case .folder(let folder)?:
            guard request.isFolder || path.isEmpty else { return .redirect("/\(Percent.path(path))/") }
            return list(folder, request.path)
        case .file(let file)? where !request.isFolder: return answer(file, path, wanted: request["sha256"])
        case .file, nil: return Self.missing
        }
    }

    func answer(_ path: String) -> Response? { root.file(at: path).map { answer($0, path, wanted: nil) } }

    private func answer(_ file: File, _ path: String, wanted: String?) -> Response {
        guard let facts = try? file.facts() else { return Self.missing }
        let known = digest(of: path, facts.bytes)
        let tag = known ?? "\(String(facts.identity.inode, radix: 36))-\(facts.bytes)-\(facts.modifiedExactly)"
        let type = FileType.of(path)
        return Response(
            type: type, body: .file(file, bytes: facts.bytes),
            caching: wanted != nil && wanted == known ? .forever : .minutes, entityTag: tag, modified: facts.modified,
            headers: type == FileType.html || type == "image/svg+xml" ? [("Content-Security-Policy", Policy.own)] : [])
    }

    /// The SHA-256 of a day's file, and of the picture for its smaller copies.
    private func digest(of path: String, _ bytes: Int) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count == 3 else { return nil }
        if parts[0] == GallerySize.folder, let picture = GallerySize.picture(in: String(parts[2])) {
            // Which copies of further pictures are present, the index does not say.
            guard picture.number == 1, let indexed = Day(picture.mark).flatMap({ root.days[$0] }), indexed.hasCopies
            else { return nil }
            return indexed.files.image.map { "\($0.sha256)" }
        }
        let name = String(parts[2])
        guard let day = Day(name.utf8.prefix(10).text), let indexed = root.days[day] else {
            return nil
        }
        if name == indexed.name.with(FileName.json) {
            return indexed.documentBytes == bytes ? "\(indexed.document)" : nil
        }
        return indexed.files.first { indexed.name.with($0) == name && $0.bytes == bytes }.map { "\($0.sha256)" }
    }

    private func list(_ folder: Folder, _ path: [String]) -> Response {
        if let page = answer((path + ["index.html"]).joined(separator: "/")) { return page }
        let names = root.names(in: folder).map { $0.isFolder ? "\($0.name)/" : $0.name }
        let title = HTML.escaped(path.joined(separator: "/"))
        let rows = (path.isEmpty ? names : ["../"] + names).sorted().map { name in
            "<li><a href=\"./\(HTML.escaped(Percent.path(name)))\">\(HTML.escaped(name))</a></li>\n"
        }
        return Response.page(
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>/\(title)</title>
            <h1>/\(title)</h1>
            <ul>
            \(rows.joined())</ul>
            </html>

            """
        ).cached(.asking)
    }
}
