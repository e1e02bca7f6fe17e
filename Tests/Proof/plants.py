"""Faults that a part must find, planted in a copy of the source: name, file, what stands there, what is put in its place.
For parts of many scenes, also the `--case` with which they find it in their short form's time."""

PLANTS = {
    "threes": [
        ("a favorite that ended is deleted at once", "Sources/Archive/Favorites/KnownFavorites.swift",
         "$0 > now - Self.grace", "$0 > now"),
        ("a clock that is ahead is believed", "Sources/Catalog/Catalog+PruneCandidates.swift",
         "min(?1, coalesce(", "max(?1, coalesce("),
        ("a former text is not kept", "Sources/Archive/Publishing/FormerFiles.swift",
         "&& read(document.record, ready.name)?.content != ready", "&& read(document.record, ready.name)?.content == ready"),
        ("what returns is a favorite since now", "Sources/Archive/Favorites/KnownFavorites.swift",
         "ended <= line.moment - Self.memory { record.since", "ended <= line.moment { record.since"),
        ("what a link said is not in the history", "Sources/Favorites/FolderState.swift", "isLink: sighting.isLink, was: was)",
         "isLink: sighting.isLink)"),
    ],
    "side": [
        ("a removal is told before it is believed", "Sources/Favorites/Keeper.swift",
         "state.expire(places, after: settleDelay)", ""),
        ("a command does not wait until its change is seen", "Sources/Favorites/Keeper.swift",
         "        try see(.places(places))\n        // What was not seen", "        // What was not seen"),
        ("favorites.json is not written when the history has grown", "Sources/Archive/Favorites/FavoritesExport.swift",
         "try catalog.fact(.exported) == length { return true }", "try catalog.fact(.exported) != nil { return true }"),
    ],
    "requests": [
        ("of favorites, everything is public", "Sources/Serving/PublishedTree.swift",
         "return kind == .folder || kind == .link", "return true"),
        ("a range lacks its last byte", "Sources/HTTP/Delivery.swift", ".part(first..<(last < size ? last + 1 : size))",
         ".part(first..<(last < size ? max(last, first + 1) : size))"),
        ("the web may ask for the status", "Sources/Control/Wire/Asker.swift",
         "case (.status, .owner), (.status, .member), (.job, .owner): true",
         "case (.status, _), (.job, .owner): true"),
        ("an escaped NUL is a name", "Sources/HTTP/Request.swift",
         "return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)",
         "return String(validating: bytes, as: UTF8.self)"),
        ("a page of another server changes favorites", "Sources/Serving/Hearts.swift",
         'return [request.origin, "https" + request.origin.dropFirst("http".count)].contains(origin)', "return true"),
    ],
    "transfers": [
        ("a document has no limit", "Sources/Fetching/ResponseReceiver.swift", "if status == 200, length > limit {",
         "if status == 200, length > 1000 * limit {"),
        ("three redirects at most", "Sources/Fetching/Redirects.swift", "private static let most = 5",
         "private static let most = 3"),
        ("the JSON of before is not kept", "Sources/Archive/Publishing/FormerFiles.swift",
         "let keepsJSON = try keepsJSON(ready, in: month, of: tree)",
         "let keepsJSON = try keepsJSON(ready, in: month, of: tree) && false"),
    ],
    "pictures": [
        ("half a picture will do", "Sources/apod-thumbnailer/Decoder.swift",
         "if Self.isTruncated { return .refused(Self.reason) }", ""),
        ("the picture stays open", "Sources/apod-thumbnailer/Main.swift", "            close(descriptor)\n", ""),
        ("a copy of any size", "Sources/apod-thumbnailer/Decoder.swift",
         "wanted_size(width: Int32(size.width), height: Int32(size.height),",
         "wanted_size(width: Int32(size.width) * 2, height: Int32(size.height) * 2,"),
    ],
    "scale": [
        ("each day's entry lists all months", "Sources/Archive/CatalogRebuild.swift", "        return days.count\n",
         "        for _ in days { _ = try Tree.months(in: root) }\n        return days.count\n"),
        ("each link puts all days in order", "Sources/Favorites/Keeper.swift", "            unmet.remove(sighting.place)\n",
         "            unmet.remove(sighting.place)\n            _ = (change.new.map(\\.subject) + favorites.known.subjects).sorted()\n"),
        ("each file that is checked looks at all others", "Sources/Archive/Verification.swift",
         "            report(.checked(bytes: items[index].bytes))",
         "            report(.checked(bytes: items.map(\\.path).filter { $0 == items[index].path }.count))"),
    ],
    "calls": [
        ("a link that could not be made counts as made", "Sources/Files/Folder.swift",
         """        guard name.withTerminated({ symlinkat(target, descriptor, $0) }) == 0 else {
            throw StorageError("make the link", path(of: name))
        }
""", """        _ = name.withTerminated { symlinkat(target, descriptor, $0) }
""", "favorites symlink"),
        ("a file that could not get its name counts as published", "Sources/Archive/Publishing/Publication.swift",
         "            try tree.wrapping(month: month, step: try step(ready, folders[month]!))\n",
         "            try? tree.wrapping(month: month, step: try step(ready, folders[month]!))\n", "first rename"),
        ("a JSON that cannot be read is replaced and not kept", "Sources/Archive/Publishing/ReplacedFiles.swift",
         "if version.isJSONReplaced { try Self.keep(json, of: version.month, in: folder, as: name) }", "_ = name",
         "correction open"),
    ],
    "crash": [
        ("a file gets its name before it is on the disk", "Sources/Files/Staged.swift",
         "        try file.sync()\n", "", "gallery"),
        ("a day's JSON comes before its files", "Sources/Archive/Publishing/Publication.swift",
         """        try place(in: folders) { ready, folder throws(StorageError) in
            for (ending, file)""", """        try place(in: folders) { ready, folder throws(StorageError) in
            try ready.json.publish(in: folder, as: ready.name.with(Metadata.suffix))
        }
        try place(in: folders) { ready, folder throws(StorageError) in
            for (ending, file)""", "first"),
        ("what is replaced is kept after the new files came", "Sources/Archive/Publishing/Publication.swift",
         """        try ArchiveError.wrapping(step: try tree.replaced.keep(former, staging: tree.unfinished))
        var folders""", """        defer { try? tree.replaced.keep(former, staging: tree.unfinished) }
        var folders""", "correction"),
    ],
}
