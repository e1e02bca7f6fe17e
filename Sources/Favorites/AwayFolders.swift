internal import Apod
internal import Files

/// Folders that could not be looked into, as their disks do not answer.
struct AwayFolders {
    private let failures: [StorageError]

    /// Of all that failed, those.
    init(_ failures: some Sequence<StorageError>) {
        self.failures = failures.filter(\.isAway).sorted { $0.path < $1.path }
    }

    /// What is told of them, and what to do; nil if there are none.
    func remark(in root: Folder) -> String? {
        FolderRemark.text(failures) { failure in
            let advice = root.mountPoint(of: failure.path).map { mount in
                "if the disk is gone for good, unmount it: `sudo umount --lazy \(Text.quoted(mount))`"
            }
            let whatToDo = advice ?? StorageError.adviceOnAway
            return "\(failure); its favorites stay, and it is read again when the disk is back; \(whatToDo)"
        }
    }
}
