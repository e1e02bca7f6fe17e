internal import Apod
internal import Archive
internal import Catalog
internal import Files

extension Reconciler {
    /// Tells in the catalog which of the folders that could not be looked into are on disks that are away.
    func tellOfAway(_ failures: some Sequence<DiskError>) throws(ArchiveError) {
        let away = failures.filter(\.isAway).sorted { $0.path < $1.path }
        let words = away.isEmpty ? nil : Self.told(away.map(Self.line))
        try remembering { catalog throws(CatalogError) in
            if try catalog.remark(.away) != words { try catalog.setRemark(.away, words) }
        }
    }

    private static func line(for failure: DiskError) -> String {
        """
        \(failure); its favorites stay, and it is read again when the disk is back; \
        if the disk is gone for good, unmount it: `sudo umount --lazy \(Text.quoted(failure.path))`
        """
    }
}
