/// How politely and how patiently is fetched.
package struct FetchSettings: Sendable {
    package var userAgent: String
    /// Between the beginnings of two requests for JSON.
    package var distance: Duration = .seconds(1)
    /// Pictures and videos at once.
    package var connections = 4
    package var stallSeconds = 30
    /// Bytes a second. What comes with fewer for that long holds a connection that others wait for: days, if it may.
    /// A slow line is shared by all that come.
    package var slowest = 500
    package var attempts = 4
    /// Before the second attempt; doubled with each further one.
    package var pause: Duration = .seconds(1)
    /// A server that asks for a longer pause is left for another time.
    package var longestPause: Duration = .seconds(60)
    package var cooldowns = HostCooldowns()

    package init(userAgent: String) { self.userAgent = userAgent }
}
