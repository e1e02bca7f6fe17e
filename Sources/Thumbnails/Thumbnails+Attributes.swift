package import Apod
internal import Archive
internal import Catalog
package import Files

/// Attributes of the files, as their JSON tells them.
extension Thumbnails {
    private static let portion = 200

    /// Gives them to some of the days that lack them, newest first. Returns false when none does.
    package func describeNext(
        in range: ClosedRange<Day> = Day.all, unless isStopped: () -> Bool = { false }
    ) throws(StorageError) -> Bool {
        guard uses.contains(.fileManagers) else { return false }
        let days = try catalog.undescribedDays(in: range)
        try describe(days.prefix(Self.portion), unless: isStopped)
        return days.count > Self.portion
    }

    func describe(_ days: some Sequence<Day>, unless isStopped: () -> Bool) throws(StorageError) {
        var described: [(day: Day, json: Digest)] = []
        for day in days where !isStopped() {
            let status = try catalog.status(of: day)
            guard let stored = status?.whole else { continue }
            try describe(stored)
            described.append((day, stored.json))
        }
        if described.isEmpty { return }
        try catalog.recordDescribed(described)
    }

    private func describe(_ stored: StoredDay) throws(StorageError) {
        try passing { () throws(StorageError) in
            guard let document = try DayDocument.of(stored.name, in: tree.root),
                let folder = try Tree.existingFolder(of: stored.name.day, in: tree.root)
            else { return }
            for file in stored.files {
                try folder.file(stored.name.with(file.type.suffix)).map(PictureAttributes(document, file).write)
            }
        }
    }

    /// Takes them away.
    func undescribe(_ days: Set<Day>, unless isStopped: () -> Bool) throws(StorageError) {
        if days.isEmpty { return }
        for day in days {
            if isStopped() { return }
            let status = try catalog.status(of: day)
            guard let stored = status?.whole else { continue }
            try passing { () throws(StorageError) in
                let folder = try Tree.existingFolder(of: day, in: tree.root)
                for file in stored.files {
                    try folder?.file(stored.name.with(file.type.suffix)).map(PictureAttributes.none.write)
                }
            }
        }
        try catalog.forgetDescribedDays()
    }
}
