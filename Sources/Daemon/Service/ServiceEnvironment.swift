internal import Archive
package import Concurrency
package import Fetching

/// What is around the service.
package struct ServiceEnvironment: Sendable {
    package let version: String
    package let variables: [String: String]
    package var time: any WallClock = SystemClock()
    package var tell: NoticeHandler
    /// Whoever started the service.
    package var notify: @Sendable (Systemd.News) -> Void = Systemd.notify
    package var watchdog = Systemd.watchdog
    /// Which hosts are left alone for a while: for as long as the service runs, however often the mirror is opened anew.
    package var cooldowns = HostCooldowns()
    /// Changes how fetching retries.
    package var tune: @Sendable (inout FetchSettings) -> Void = { _ in }

    /// Where its socket is to be; systemd names several, separated by colons.
    var runtimeFolder: String? {
        variables["RUNTIME_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }.flatMap {
            $0.hasPrefix("/") ? $0 : nil
        }
    }

    package init(version: String, variables: [String: String], tell: @escaping NoticeHandler) {
        self.version = version
        self.variables = variables
        self.tell = tell
    }
}
