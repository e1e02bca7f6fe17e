package import Catalog
import Synchronization

/// Where something may have changed.
package enum DirtyPaths: Sendable, Equatable {
    case places(Set<Place>)
    case everywhere

    package static let none = DirtyPaths.places([])

    /// More are not told one by one.
    package static let most = 4096

    package mutating func add(_ place: Place) {
        guard case .places(var places) = self else { return }
        // While it is changed, nobody else may hold the set: it would be copied.
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

/// Where something may have changed, to be looked at when there is time. Adding is cheap and nothing that was added
/// is lost: what is too much to be told one by one becomes `everywhere`.
package final class ChangeQueue: Sendable {
    private let dirty = Mutex(DirtyPaths.none)
    private let wakeUp: AsyncStream<Void>.Continuation
    /// One for any number of additions since the last.
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

    /// What was added since the last time.
    package func take() -> DirtyPaths {
        dirty.withLock { dirty in
            defer { dirty = .none }
            return dirty
        }
    }
}
