package import Archive
internal import Catalog
import Synchronization

/// The places where something may have changed.
package enum DirtyPaths: Sendable, Equatable {
    case places(Set<Place>)
    case everywhere

    package static let none = DirtyPaths.places([])

    /// More places than these become `everywhere`, for which all that is there already is looked at again.
    package static let most = 65_536

    package mutating func add(_ place: Place) {
        guard case .places(var places) = self else { return }
        // If `self` held the set too, `insert` would copy it.
        self = .none
        places.insert(place)
        self = places.count > Self.most ? .everywhere : .places(places)
    }

    package mutating func add(_ others: DirtyPaths) {
        switch others {
        case .everywhere: self = .everywhere
        case .places(let places): for place in places { add(place) }
        }
    }
}

/// Keeps the places where something may have changed until they are taken. Nothing is lost: too many places become
/// `everywhere`.
package final class ChangeQueue: Sendable {
    private let dirty = Mutex(DirtyPaths.none)
    private let wakeUp: AsyncStream<Void>.Continuation
    /// One signal for any number of additions.
    package let wakeUps: AsyncStream<Void>

    package init() { (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func add(_ place: Place) {
        dirty.withLock { $0.add(place) }
        wakeUp.yield()
    }

    package func addEverywhere() {
        dirty.withLock { $0 = .everywhere }
        wakeUp.yield()
    }

    /// Returns what was added, and empties the queue.
    package func take() -> DirtyPaths {
        dirty.withLock { dirty in
            defer { dirty = .none }
            return dirty
        }
    }
}
