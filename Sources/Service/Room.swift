internal import Apod
internal import Archive
internal import Files

/// Whether there is room for more.
extension Refresh {
    /// Days that may be under way when the next question is asked. Where there is a limit, it must be known how much has
    /// come.
    func mostUnderway(_ wish: Wish) -> Int {
        wish.isPatient && settings.maxTotal != nil ? 0 : Self.manyUnderway
    }

    func hasRoom(for question: Plan.Question, _ wish: Wish, _ course: inout Course) -> Bool {
        do throws(RefreshError) {
            try checkDisk()
            return try !isSurplus(question, wish)
        } catch {
            course.stop(error)
            return false
        }
    }

    /// The last of a disk is left to others.
    private func checkDisk() throws(RefreshError) {
        let root = archive.tree.root
        let space: Folder.Space
        do throws(DiskError) { space = try root.space() } catch { throw .disk(error) }
        // Not every file system tells how large it is.
        guard space.total == 0 || space.free >= space.floor else {
            throw .noRoom(root: root.path, free: space.free, floor: space.floor)
        }
    }

    /// Whether what a question is about, and all that is older, would be let go of as soon as it is here.
    private func isSurplus(_ question: Plan.Question, _ wish: Wish) throws(RefreshError) -> Bool {
        guard let limit = settings.maxTotal, wish.isPatient else { return false }
        if case .head = question { return false }
        let last = question.range.upperBound
        let left = try reading { catalog throws(CatalogError) in
            try catalog.bytes() - catalog.releasableBytes(before: last, at: now())
        }
        guard left > limit else { return false }
        report(.noted("there is no room within max-total (\(Size.text(limit))) for \(last) and what is older"))
        return true
    }
}
