package import Configuration
package import Fetching
package import Files
package import Store

/// What the service gets from outside; tests put in their own.
package struct ServiceEnvironment: Sendable {
    package let version: String
    package let variables: [String: String]
    package var time: any WallClock = SystemClock()
    package var tell: EventHandler
    package var notify: @Sendable (Systemd.Notification) -> Void = Systemd.notify
    package var watchdog = Systemd.watchdog
    /// The program that answers the web, with its arguments, by the settings and the file that they are from.
    package var webServer: @Sendable (Settings, String?) -> [String] = { _, _ in [] }
    /// How fetching pauses and retries; nil: as usual.
    package var fetching: FetchSettings?

    /// The folders for the sockets of commands and of the web. systemd names several, separated by colons
    /// (systemd.exec(5)).
    private var runtimeFolders: [String] {
        (variables["RUNTIME_DIRECTORY"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    var runtimeFolder: String? { runtimeFolders.first }
    var webFolder: String? { runtimeFolders.last }

    package init(version: String, variables: [String: String], tell: @escaping EventHandler) {
        self.version = version
        self.variables = variables
        self.tell = tell
    }
}
