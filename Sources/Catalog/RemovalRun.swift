/// Links that go one after the other, with pauses of less than a minute. As long as they are few, each is removed. Once
/// most favorites are without links, that may not have been meant: all of them are lost, and so is what still goes.
package struct RemovalRun: Sendable, Equatable {
    package let number: Int
    /// The favorites with links when it began.
    package let there: Int
    /// When the last of its links went, in seconds since 1970; nil while none has gone for good.
    package private(set) var last: Int?
    package private(set) var isLoss: Bool

    package init(number: Int, there: Int, last: Int? = nil, isLoss: Bool = false) {
        self.number = number
        self.there = there
        self.last = last
        self.isLoss = isLoss
    }

    /// What becomes of runs by a change of the folder.
    package enum Effect: Sendable {
        case none
        /// A run begins before the change: what went before has nothing to do with it.
        case begins
        /// With the change, the run that was begun last turns out to be a loss.
        case becomesLoss
        /// The change is a loss, and what goes next is part of it.
        case beginsAsLoss

        package var isLoss: Bool { self == .becomesLoss || self == .beginsAsLoss }
    }

    private static let longestPause = Duration.seconds(60)
    private static let fewestLost = 3

    /// Whether what goes now is part of it. `pause`: since its last link went, where that is not only known by the clock,
    /// which may have been set.
    package func goesOn(at moment: Int, after pause: Duration? = nil) -> Bool {
        guard let last else { return false }
        return pause ?? .seconds(last.distance(to: moment).magnitude) < Self.longestPause
    }

    /// Links have gone for good. `gone`: how many of the favorites that were there have none now; `alsoGone`: how many
    /// of those that came since.
    package mutating func noteRemovals(gone: Int, alsoGone: Int = 0, at moment: Int) {
        last = moment
        if gone + alsoGone >= Self.fewestLost, gone > there - gone { isLoss = true }
    }

    /// The favorites folder has gone, or all went while nobody looked.
    package mutating func becomeLoss(at moment: Int) {
        last = moment
        isLoss = true
    }
}
