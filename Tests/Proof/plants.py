"""Faults to plant in a copy of the program: each is found by the part that it is listed under."""
PLANTS = {
    "calls": [
        ("a link that could not be made counts as made", "Sources/Files/Folder.swift",
         """        guard name.withTerminated({ symlinkat(target, descriptor, $0) }) == 0 else {
            throw StorageError("make the link", path(of: name))
        }
""", """        _ = name.withTerminated { symlinkat(target, descriptor, $0) }
"""),
        ("a file that could not get its name counts as published", "Sources/Archive/Publishing/Publication.swift",
         "            try tree.wrapping(month: month, step: try step(ready, folders[month]!))\n",
         "            try? tree.wrapping(month: month, step: try step(ready, folders[month]!))\n"),
        ("a JSON that cannot be read is replaced and not kept", "Sources/Archive/Publishing/ReplacedFiles.swift",
         "                try leaving.month.makeHardLink(json, in: folder, as: name)\n", "                _ = name\n"),
    ],
    "crash": [
        ("a file gets its name before it is on the disk", "Sources/Files/Staged.swift",
         "        try file.sync()\n", ""),
        ("a day's JSON comes before its files", "Sources/Archive/Publishing/Publication.swift",
         """        try place(in: folders) { ready, folder throws(StorageError) in
            for (suffix, file) in ready.stagedDay.staged { try file.publish(in: folder, as: ready.name.with(suffix)) }
        }
        try sync(folders)
        try place(in: folders) { ready, folder throws(StorageError) in
            try ready.json.publish(in: folder, as: ready.name.with(Metadata.suffix))
        }
""", """        try place(in: folders) { ready, folder throws(StorageError) in
            try ready.json.publish(in: folder, as: ready.name.with(Metadata.suffix))
        }
        try sync(folders)
        try place(in: folders) { ready, folder throws(StorageError) in
            for (suffix, file) in ready.stagedDay.staged { try file.publish(in: folder, as: ready.name.with(suffix)) }
        }
"""),
        ("what is replaced is kept after the new files came", "Sources/Archive/Publishing/Publication.swift",
         """        try ArchiveError.wrapping(step: try ReplacedFiles(in: tree.own).keep(leaving, staging: tree.unfinished))
        try publish()
""", """        try publish()
        try ArchiveError.wrapping(step: try ReplacedFiles(in: tree.own).keep(leaving, staging: tree.unfinished))
"""),
    ],
}
