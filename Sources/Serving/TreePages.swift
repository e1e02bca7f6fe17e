internal import Apod
internal import Files
internal import HTTP

/// The folder itself: its files, and lists of folders without `index.html`.
///
/// Hidden names are not served, nor what a link leads to outside or to a hidden name. Of `favorites`, only links that
/// are known as favorites are: people keep photos of their own there.
struct TreePages {
    let root: PublishedTree.Root
    let favorites: FavoriteLinks

    static let missing = Response.refusal(404, "There is nothing at this address.")

    func answer(_ request: Request) -> Response {
        guard !request.path.contains(where: \.isHiddenName) else { return Self.missing }
        let path = request.path.joined(separator: "/")
        guard isPublic(request.path), let content = try? root.folder.content(below: path.isEmpty ? "." : path) else {
            return Self.missing
        }
        switch content {
        case .folder(let folder):
            guard request.isFolder || path.isEmpty else { return .redirect("/\(Percent.path(path))/") }
            return isOpen(folder.truePath) ? list(folder, request.path) : Self.missing
        case .file(let file):
            guard !request.isFolder, isOpen(file.truePath) else { return Self.missing }
            return answer(file, path, wanted: request["sha256"])
        }
    }

    /// A file of the tree, whatever its name.
    func answer(_ path: String) -> Response? {
        root.folder.file(below: path).map { answer($0, path, wanted: nil) }
    }

    private func isPublic(_ path: [String]) -> Bool {
        path.first != "favorites" || favorites.has(path.dropFirst().joined(separator: "/"))
    }

    /// Whether no part of where a link led is hidden. The root itself may be.
    private func isOpen(_ path: [UInt8]?) -> Bool {
        guard let path, let top = root.folder.truePath, path.starts(with: top) else { return false }
        let inner = path.dropFirst(top.count)
        return !inner.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
            || inner.starts(with: "/\(PublishedTree.own)/latest/".utf8)
    }

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
        if parts[0] == GallerySize.folder, let day = GallerySize.day(of: String(parts[2])) {
            guard let indexed = root.days[day], indexed.hasCopies else { return nil }
            return indexed.files.image.map { "\($0.sha256)" }
        }
        guard let name = FileName.parts(of: String(parts[2])), let day = FileName(stem: name.stem)?.day,
            let indexed = root.days[day], indexed.name.stem == name.stem
        else { return nil }
        if name.suffix == Metadata.suffix {
            return indexed.documentBytes == bytes ? "\(indexed.document)" : nil
        }
        return indexed.files.first { $0.type.suffix == name.suffix && $0.bytes == bytes }.map { "\($0.sha256)" }
    }

    private func list(_ folder: Folder, _ path: [String]) -> Response {
        if path.first != "favorites", let page = answer((path + ["index.html"]).joined(separator: "/")) { return page }
        var names: [String] = []
        try? folder.visit { name, kind in
            guard let text = name.text, !text.isHiddenName, isPublic(path + [text]) else { return }
            names.append(kind == .folder ? "\(text)/" : text)
        }
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
        ).kept(.asking)
    }
}

extension String {
    var isHiddenName: Bool { utf8.first == UInt8(ascii: ".") }
}
