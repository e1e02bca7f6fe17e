package import Files
internal import Synchronization

extension Catalog {
    /// All of it or nothing. What is new is a favorite from then on; what has lost its last link stays one until that is
    /// settled. Returns how many links that had gone before have vanished by a loss.
    @discardableResult
    package func record(
        _ change: FolderChange, _ effect: RemovalRun.Effect = .none, at moment: Int
    ) throws(StorageError) -> Int {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                let before = change.vanished.count
                let change = try Self.withoutOrdered(change, in: database)
                // What somebody asked for is no loss, though it was taken for one.
                let effect = effect.isLoss && before > 0 && change.vanished.isEmpty ? .begins : effect
                if effect == .begins { try Self.beginRun(in: database) }
                try Self.write(change, at: moment, to: database)
                if effect == .beginsAsLoss { try Self.beginRun(in: database) }
                return effect.isLoss ? try Self.lose(at: moment, in: database) : 0
            }
        }
    }
}
