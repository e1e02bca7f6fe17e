/// A moment before which something is not asked for again, as somebody noted it, perhaps by a clock that was ahead.
package enum Postponement {
    /// In seconds.
    package static let longest = 31 * 86_400

    /// Whether it is still to come. Whoever decided to wait for longer than the longest did so by a wrong clock.
    package static func holds(_ moment: Int?, at now: Int, longest: Int = longest) -> Bool {
        moment.map { $0 > now && $0 < now + longest } ?? false
    }

    /// The same of a day in the catalog, with the present moment as one of the statement's parameters.
    static func holds(at now: String) -> String {
        "(retry_after IS NOT NULL AND retry_after > \(now) AND retry_after < \(now) + \(longest))"
    }
}
