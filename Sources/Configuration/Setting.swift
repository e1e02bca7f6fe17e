package import Apod

/// One key of the settings: how it is read, shown and explained.
package struct Setting: Sendable {
    package let key: String
    /// The placeholder for a value in `--help`; empty for a list's keys, which are no options.
    package let value: String
    package let help: String
    let reading: SettingParser
    package let show: @Sendable (Settings) -> String
    /// A value for a settings file, where the default is none.
    package let example: String?

    /// The keys for fetching, which can be given for one sync.
    package static let fetchKeys = [
        "upstream", "pictures", "videos", "max-file", "rate", "connections", "recheck-days", "contact",
    ]

    /// The keys that say where the mirror is.
    package static let place = ["root", "state"]

    /// The settings of every mirror, each of which is an option, too.
    package static let all: [Setting] = [
        Setting("root", "FOLDER", "the mirror's folder", .path { $0.root = $1 }, show: { $0.root }),
        Setting(
            "since", "DATE", "the first day to fetch; 1995-06-16 for everything", .day(\.since),
            show: { $0.since?.description ?? "30 days before the first run" }, example: "\(Day.first)"),
        Setting("upstream", "URL", "the server to mirror", .address(\.upstream), show: { $0.upstream.description }),
        Setting(
            "neighbours", "URLS|none", "other mirrors to ask for files first: http://nas.lan:8095",
            .addresses(\.neighbours, orNone: "none"),
            show: { $0.neighbours.isEmpty ? "none" : $0.neighbours.map(\.description).joined(separator: ", ") }),
        Setting(
            "pictures", "original|screen", "as uploaded, or no larger than 3840 pixels", .choice(\.pictures),
            show: { $0.pictures.rawValue }),
        Setting(
            "videos", "yes|poster", "with the videos, or only a still of each", .choice(\.videos),
            show: { $0.videos.rawValue }),
        Setting("max-file", "SIZE", "larger files are not fetched", .size(\.maxFile), show: { Size.short($0.maxFile) }),
        Setting(
            "keep", "SPAN|forever", "older pictures are deleted: 90d, 12m, 5y", .span(\.keep, orNone: "forever"),
            show: { $0.keep?.description ?? "forever" }),
        Setting(
            "max-total", "SIZE|none",
            "space for pictures, videos, JSON and replaced files; the oldest are deleted first",
            .size(\.maxTotal, orNone: "none"),
            show: { $0.maxTotal.map(Size.short) ?? "none" }),
        Setting(
            "rate", "NUMBER", "JSON requests per second, 0.001 to 1000; 0 for no limit", .rate(\.rate, 0.001...1000),
            show: { $0.rate == $0.rate.rounded() ? "\(Int($0.rate))" : "\($0.rate)" }),
        Setting(
            "connections", "NUMBER", "how many pictures are fetched at once, 1 to 64", .number(\.connections, 1...64),
            show: { "\($0.connections)" }),
        Setting(
            "recheck-days", "NUMBER", "days before the newest that are checked again for corrections, 0 to 24",
            .number(\.recheckDays, 0...24), show: { "\($0.recheckDays)" }),
        Setting(
            "gallery", "yes|no", "index.html, feed.xml and smaller copies of pictures for browsers",
            .choice(\.gallery), show: { $0.gallery.rawValue }),
        Setting(
            "thumbnails", "yes|no", "smaller copies of pictures for file managers", .choice(\.thumbnails),
            show: { $0.thumbnails.rawValue }),
        Setting(
            "sidecars", "yes|no", "an XMP file beside each picture and video, for photo programs", .choice(\.sidecars),
            show: { $0.sidecars.rawValue }),
        Setting(
            "frame", "SIZE|none",
            "a folder of the favorites as JPEGs of that size: favorites 1920x1080, or favorites 1920x1080 titles",
            .frame(\.frame, orNone: "none"), show: { $0.frame?.description ?? "none" }),
        Setting(
            "web-favorites", "yes|no", "everyone who sees the gallery on the web can change favorites",
            .choice(\.webFavorites), show: { $0.webFavorites.rawValue }),
        Setting(
            "web-names", "NAMES|none", "more names of this machine for browsers: nas.lan, www.nas.lan",
            .names(\.webNames, orNone: "none"),
            show: { $0.webNames.isEmpty ? "none" : $0.webNames.joined(separator: ", ") }),
        Setting(
            "listen", "ADDRESS|none", "where the service itself answers the web: 0.0.0.0:8095",
            .port(\.listen, orNone: "none"), show: { $0.listen ?? "none" }),
        Setting(
            "state", "FOLDER", "the folder of the catalog", .path { $0.state = $1 },
            show: { $0.state ?? "\($0.root)/.apod-mirror" }),
        Setting(
            "contact", "ADDRESS|none", "a web or mail address, sent along so that NASA can write to you",
            .text(\.contact, orNone: "none"), show: { $0.contact ?? "none" }),
    ]

    private init(
        _ key: String, _ value: String, _ help: String, _ reading: SettingParser,
        show: @escaping @Sendable (Settings) -> String, example: String? = nil
    ) {
        self.key = key
        self.value = value
        self.help = help
        self.reading = reading
        self.show = show
        self.example = example
    }

    /// nil for what is neither one of all nor a key of a list.
    static func named(_ key: String) -> Setting? {
        all.first { $0.key == key }
            ?? ListKey(key).map { list in Setting(key, "", "", list.reading, show: { list.show($0) }) }
    }

    /// True if a shown text is also a value in a file.
    package func canRead(_ text: String) -> Bool {
        var settings = Settings(root: "/")
        return reading.set(&settings, text)
    }
}

extension Settings {
    /// All settings, and what is said of lists.
    package var keyed: [Setting] {
        let ofLists = lists.flatMap(ListKey.keys).compactMap(Setting.named)
        return Setting.all + ofLists.filter { !$0.show(self).isEmpty }
    }

    /// The value of each key, as `config` shows it.
    package var shown: [(key: String, value: String)] { keyed.map { ($0.key, $0.show(self)) } }

    /// These settings with those for fetching taken from `values`, as in `shown`. Invalid ones are ignored.
    package func fetching(by values: [String: String]) -> Settings {
        var settings = self
        for setting in Setting.all where Setting.fetchKeys.contains(setting.key) {
            if let value = values[setting.key] { _ = setting.reading.set(&settings, value) }
        }
        return settings
    }

}

/// As `config` shows them.
extension Settings: JSONCodable {
    package var json: JSON { .object(shown.map { ($0.key, .string($0.value)) }) }

    /// nil without a root. What another version leaves out, or words differently, gets its default.
    package init?(_ json: JSONText) {
        guard let values = json.members?.compactMapValues(\.string), let root = values["root"] else { return nil }
        let usual = Settings(root: root)
        self = usual
        // A list's own key is less than those of what is said of it.
        for setting in values.keys.sorted().compactMap(Setting.named) {
            guard let value = values[setting.key], value != setting.show(usual) else { continue }
            _ = setting.reading.set(&self, value)
        }
    }
}
