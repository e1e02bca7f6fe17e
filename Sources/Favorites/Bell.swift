package import Archive
import Synchronization

/// Where something may have changed.
package enum Hints: Sendable, Equatable {
    case places(Set<Place>)
    case everywhere

    package static let none = Hints.places([])

    /// More are not told one by one.
    static let most = 4096

    package mutating func add(_ place: Place) {
        guard case .places(var places) = self else { return }
        // While it is changed, nobody else may hold the set: it would be copied.
        self = .none
        places.insert(place)
        self = places.count > Self.most ? .everywhere : .places(places)
    }

    package mutating func add(_ others: Hints) {
        switch others {
        case .everywhere: self = .everywhere
        case .places(let places): for place in places { add(place) }
        }
    }
}

/// Rung where something may have changed; answered when there is time. Ringing is cheap and nothing that was rung for
/// is lost: what is too much to be told one by one becomes `everywhere`.
package final class Bell: Sendable {
    private let hints = Mutex(Hints.none)
    private let ringing: AsyncStream<Void>.Continuation
    /// One for any number of rings since the last.
    package let rings: AsyncStream<Void>

    package init() { (rings, ringing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func ring(_ place: Place) {
        hints.withLock { $0.add(place) }
        ringing.yield()
    }

    package func ringEverywhere() {
        hints.withLock { $0 = .everywhere }
        ringing.yield()
    }

    /// Something else than the folder has changed.
    package func ring() { ringing.yield() }

    /// What was rung for since the last time.
    package func answer() -> Hints {
        hints.withLock { hints in
            defer { hints = .none }
            return hints
        }
    }
}
