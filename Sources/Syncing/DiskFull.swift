internal import Archive
package import Configuration
internal import Files
internal import Glibc

/// A disk without room. All that meet it say the same: where there is none, and what to do.
package enum DiskFull {
    /// nil: the error is about something else.
    package static func words(for error: any Error, _ settings: Settings) -> String? {
        if let error = error as? RefreshError {
            guard case .archive(let failure) = error else { return error.isFull ? error.description : nil }
            return words(for: failure, settings)
        }
        guard case .storage(let error)? = ArchiveError(error) else { return nil }
        return RefreshError(full: error, settings)?.description
    }

    /// Whether it was told, and there is clearly room now on the disk of a folder.
    package static func isOver(_ told: String, on folder: String) -> Bool {
        guard RefreshError.isOfFull(folder, told), let space = try? Folder.open(folder).space(), !space.isBelowFloor,
            space.free >= space.floor + min(64_000_000, space.floor + 1_000_000)
        else { return false }
        return true
    }

    /// The same of a folder whose disk is full now; nil where there is room.
    package static func words(forDiskOf folder: String) -> String? {
        guard let space = try? Folder.open(folder).space(), space.isBelowFloor else { return nil }
        return RefreshError.noRoom(root: folder, free: space.free, floor: space.floor).description
    }
}

extension RefreshError {
    /// In the same words, if the disk is full.
    func withDisk(_ settings: Settings) -> RefreshError {
        guard case .archive(.storage(let error)) = self else { return self }
        return RefreshError(full: error, settings) ?? self
    }

    /// Of a folder of the mirror on a disk that is full; nil of anything else.
    init?(full error: StorageError, _ settings: Settings) {
        // A quota tells nothing of the disk.
        guard error.isFull, error.code != EDQUOT else { return nil }
        let isState = settings.state.map { "\(error.path)/".hasPrefix("\($0)/") } ?? false
        let folder = isState ? settings.stateFolder : settings.root
        guard isState || "\(error.path)/".hasPrefix("\(folder)/"), let space = try? Folder.open(folder).space() else {
            return nil
        }
        self = .noRoom(root: folder, free: space.free, floor: space.floor)
    }
}
