package import Apod
package import Configuration
import Files
import Glibc

/// A full disk gets the same words everywhere: where there is no room.
extension Problem {
    package init(_ error: any Error, in settings: Settings) {
        self = error.problem.withDisk(settings)
        // The records have another address.
        if code == .refused, number == 404 { self = Problem(.records, at: address, number: number) }
    }

    /// `full` if a disk of the mirror is full, else the same.
    private func withDisk(_ settings: Settings) -> Problem {
        // A used-up quota says nothing about the disk.
        guard isFull, errorNumber != EDQUOT, let path else { return self }
        let isState = settings.state.map { "\(path)/".hasPrefix("\($0)/") } ?? false
        let folder = isState ? settings.stateFolder : settings.root
        guard isState || "\(path)/".hasPrefix("\(folder)/"), let space = try? Folder.open(folder).space() else {
            return self
        }
        return Problem(.full, path: folder, number: space.floor)
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
