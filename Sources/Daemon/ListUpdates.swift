internal import Apod
internal import Archive
internal import Concurrency
internal import Configuration
internal import Files
internal import Gallery
internal import Syncing
internal import Thumbnails

/// Keeps what is made of other lists true to them: smaller copies, sidecars, and their part of the gallery and of the
/// published index. `ListRound` calls `update`.
struct ListUpdates: Sendable {
    let context: ServiceContext
    let gallery: GalleryUpdates

    /// Pictures of which copies are made before others have their turn.
    private static let slice = 100

    /// `isDone`: nothing comes any more in this round.
    func update(_ list: ListName, isDone: Bool) async throws {
        let archive = context.mirror.archive
        let shown = MirrorGallery(context.mirror, of: list)
        if try await blocking({ try shown.isUpToDate() }) { return }
        try await show(shown)
        let areWanted = context.mirror.settings.sidecars == .yes
        try await context.drawing {
            try Sidecars(archive, of: list, areWanted: areWanted).update(nil)
        }
        let isWhole = try await makeCopies(of: list)
        try await show(shown)
        if isDone, isWhole, !Task.isCancelled { try await blocking { try shown.end() } }
    }

    private func show(_ shown: MirrorGallery) async throws {
        try await context.drawing { try shown.update(nil) }
        try await gallery.showLists()
    }

    /// What cannot be made is not told: the pictures are here. Returns whether there is nothing left to make.
    private func makeCopies(of list: ListName) async throws -> Bool {
        let thumbnails = Thumbnails(context.mirror.archive, of: list, for: context.mirror.settings.thumbnailUses)
        var missing = try await blocking {
            try thumbnails.tidy()
            try thumbnails.removeStale()
            return try thumbnails.missing()
        }
        while !missing.isEmpty, !Task.isCancelled {
            let slice = Array(missing.prefix(Self.slice))
            missing.removeFirst(slice.count)
            try await context.thumbnailQueue.holding {
                try await blocking { try thumbnails.checkRoom() }
                for await thumbnail in thumbnails.thumbnails(for: slice) {
                    if let shortage = thumbnail.shortage { throw shortage }
                }
            }
        }
        let colorless = try await blocking { try thumbnails.colorless() }
        if !colorless.isEmpty { _ = try await thumbnails.readColors(of: colorless) }
        return try await blocking { try thumbnails.missing().isEmpty }
    }
}
