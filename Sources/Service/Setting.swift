internal import Apod

/// One key of the settings: how it is read, shown and explained.
package struct Setting: Sendable {
    package let key: String
    /// What stands for a value in `--help`.
    package let value: String
    package let help: String
    /// False if the text is not a value of this setting.
    let set: @Sendable (inout Settings, String) -> Bool
    package let show: @Sendable (Settings) -> String

    package static let all: [Setting] = [
        Setting(
            "root", "FOLDER", "where the pictures are", set: path(\.root), show: { $0.root }),
        Setting(
            "since", "DATE", "the first day to mirror; 1995-06-16 for all (default: 30 days before the first run)",
            set: { settings, text in
                settings.since = Day(text)
                return settings.since != nil
            }, show: { $0.since?.description ?? "30 days before the first run" }),
        Setting(
            "upstream", "URL", "the server to mirror",
            set: { settings, text in
                guard let address = WebAddress(text) else { return false }
                settings.upstream = address
                return true
            }, show: { $0.upstream.description }),
        Setting(
            "pictures", "original|screen", "as uploaded, or no larger than 3840 pixels", set: choice(\.pictures),
            show: { $0.pictures.rawValue }),
        Setting(
            "videos", "yes|poster", "with the videos, or only a still of each", set: choice(\.videos),
            show: { $0.videos.rawValue }),
        Setting(
            "max-file", "SIZE", "larger files are left out", set: size(\.maxFile),
            show: { Size.short($0.maxFile) }),
        Setting("keep", "forever", "how long pictures are kept", set: only("forever"), show: { _ in "forever" }),
        Setting("max-total", "none", "how much they may take up", set: only("none"), show: { _ in "none" }),
        Setting(
            "rate", "NUMBER", "requests for JSON a second; 0 for no limit",
            set: { settings, text in
                guard let rate = Double(text), rate.isFinite, rate >= 0 else { return false }
                settings.rate = rate
                return true
            }, show: { $0.rate == $0.rate.rounded() ? "\(Int($0.rate))" : "\($0.rate)" }),
        Setting(
            "connections", "NUMBER", "pictures to fetch at once", set: number(\.connections, 1...64),
            show: { "\($0.connections)" }),
        Setting(
            "recheck-days", "NUMBER", "the newest days, looked at again for corrections",
            set: number(\.recheckDays, 0...24), show: { "\($0.recheckDays)" }),
        Setting("adopt", "yes", "put links in favorites in order", set: only("yes"), show: { _ in "yes" }),
        Setting(
            "state", "FOLDER", "where the catalog is",
            set: { settings, text in
                settings.state = text
                return !text.isEmpty
            }, show: { $0.state ?? "\($0.root)/.apod-mirror" }),
        Setting(
            "contact", "URL", "tells the upstream whom to write to",
            set: { settings, text in
                settings.contact = Text.clean(text)
                return !settings.contact.isEmpty
            }, show: { $0.contact }),
    ]

    private init(
        _ key: String, _ value: String, _ help: String, set: @escaping @Sendable (inout Settings, String) -> Bool,
        show: @escaping @Sendable (Settings) -> String
    ) {
        self.key = key
        self.value = value
        self.help = help
        self.set = set
        self.show = show
    }
}
