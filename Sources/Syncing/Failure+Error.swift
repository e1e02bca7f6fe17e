package import Apod
internal import Archive
package import Configuration
internal import Files
internal import Glibc

/// Failures made from errors. A full disk gets the same words everywhere: where there is no room.
extension Failure {
    package init(_ error: any Error, in settings: Settings) {
        let known = error as? RefreshError ?? ArchiveError(error).map(RefreshError.archive)
        self = known?.withDisk(settings).failure ?? Failure(.other, "\(error)")
    }

    /// Whether the disk was full, and all these folders clearly have room again.
    package func isOver(in folders: [String]) -> Bool {
        code == .full
            && folders.allSatisfy { folder in
                guard let space = try? Folder.open(folder).space(), !space.isBelowFloor else { return false }
                return space.free >= space.floor + min(64_000_000, space.floor + 1_000_000)
            }
    }
}

extension RefreshError {
    /// `noRoom` if a disk of the mirror is full, else the same error.
    func withDisk(_ settings: Settings) -> RefreshError {
        guard case .archive(.storage(let error)) = self else { return self }
        return RefreshError(full: error, settings) ?? self
    }

    /// nil unless the error is about a folder of the mirror on a full disk.
    init?(full error: StorageError, _ settings: Settings) {
        // A used-up quota says nothing about the disk.
        guard error.isFull, error.code != EDQUOT else { return nil }
        let isState = settings.state.map { "\(error.path)/".hasPrefix("\($0)/") } ?? false
        let folder = isState ? settings.stateFolder : settings.root
        guard isState || "\(error.path)/".hasPrefix("\(folder)/"), let space = try? Folder.open(folder).space() else {
            return nil
        }
        self = .noRoom(root: folder, floor: space.floor)
    }
}
