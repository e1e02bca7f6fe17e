package import Apod
package import Configuration
import Glibc
internal import Syncing

/// What only the service knows of itself.
package struct ServiceStatus: Sendable, Equatable {
    package let root: String
    /// Of the program.
    package let version: String
    /// Its number.
    package let process: Int
    package private(set) var state: Activity.State

    mutating func hideContact() { state.settings?.contact = nil }

    /// What is due already is asked for now.
    package func at(_ now: Int) -> ServiceStatus {
        var status = self
        status.state.nextRefresh = state.nextRefresh.map { max($0, now) }
        return status
    }

    /// Of a disk that was full and has room now, before the service has looked again.
    package func lookingForRoom() -> ServiceStatus {
        var status = self
        let folders = [root] + [state.settings?.state].compactMap(\.self)
        status.state.troubles = state.troubles.mapValues { trouble in
            guard folders.contains(where: { DiskFull.isOver(trouble.why, on: $0) }) else { return trouble }
            return Activity.Trouble(why: "the disk was full and has room again", retry: trouble.retry, isOver: true)
        }
        return status
    }

    package func hasRead(_ file: String) -> Bool { state.settingsFile == file }

    package var isMakingThumbnails: Bool { state.isMakingThumbnails }

    /// What it goes by, whatever others have read; nil where it does not say. `root`: the way that leads there for whoever
    /// asks.
    package func settings(in root: String) -> Settings? {
        var settings = state.settings
        settings?.root = root
        return settings
    }

    package var json: JSON {
        .object([
            ("root", .string(root)),
            ("version", .string(version)),
            ("process", .integer(process)),
            ("waiting", .optional(state.waiting)),
            ("refused_settings", .optional(state.refusedSettings)),
            ("settings", state.settings?.json ?? .null),
            ("settings_file", .optional(state.settingsFile)),
            ("refreshing", .bool(state.isRefreshing)),
            ("making_thumbnails", .bool(state.isMakingThumbnails)),
            ("syncs", .integer(state.syncs)),
            ("next_refresh", .optional(state.nextRefresh.map(Time.text))),
            ("backfill", state.backfill?.json ?? .null),
            (
                "troubles",
                .array(ServicePart.allCases.compactMap { name in state.troubles[name].map { $0.json(name) } })
            ),
        ])
    }

    /// nil for what is no such thing.
    init?(_ json: JSONText) {
        guard let members = json.members, let root = members["root"]?.string, let version = members["version"]?.string,
            let process = members["process"]?.integer, let state = Activity.State(members)
        else { return nil }
        self.init(root: root, version: version, process: process, state: state)
    }

    init(root: String, version: String, process: Int, state: Activity.State) {
        self.root = root
        self.version = version
        self.process = process
        self.state = state
    }
}

extension ServiceStatus {
    /// Name and words of each line that there is to say.
    package var lines: [(name: String, words: String)] { lines(sparing: nil) }

    /// The same, without the trouble of a part that is told otherwise.
    package func lines(sparing part: ServicePart?) -> [(name: String, words: String)] {
        var lines: [(name: String, words: String)] = []
        if let waiting = state.waiting { lines.append(("waiting", waiting)) }
        if state.settings != nil {
            let outdated = state.refusedSettings == nil ? "" : ", as the service read them before the mistake"
            lines.append(("settings", "from \(state.settingsFile.map { Text.shown($0) } ?? "no file")\(outdated)"))
        }
        if let refused = state.refusedSettings {
            lines.append(("trouble", "settings refused: \(refused); correct that, then reload the service"))
        }
        if state.isRefreshing { lines.append(("doing", "asking for new days")) }
        if state.syncs > 0 { lines.append(("doing", "fetching what `sync` asked for")) }
        if let backfill = state.backfill { lines.append(("doing", backfill.words)) }
        if isMakingThumbnails { lines.append(("doing", "making thumbnails")) }
        let troubles = ServicePart.allCases.compactMap { name in
            name == part ? nil : state.troubles[name].map { (key: name, value: $0) }
        }
        for (parts, trouble) in Activity.State.grouped(troubles) {
            // What lies behind was only the first attempt.
            let next =
                trouble.isOver
                ? "it goes on within a few minutes"
                : trouble.retry > time(nil) ? "again at \(Time.local(trouble.retry))" : "it is tried again"
            lines.append(("trouble", "\(parts): \(trouble.why); \(next)"))
        }
        return lines
    }
}

extension Activity.State {
    fileprivate init?(_ members: [String: JSONText]) {
        guard let isRefreshing = members["refreshing"]?.bool, let syncs = members["syncs"]?.integer,
            let troubles = members["troubles"]?.elements, let backfill = members["backfill"]
        else { return nil }
        self.init()
        waiting = members["waiting"]?.string
        refusedSettings = members["refused_settings"]?.string
        settings = members["settings"]?.members.flatMap { Settings(shown: $0.compactMapValues(\.string)) }
        settingsFile = members["settings_file"]?.string
        self.isRefreshing = isRefreshing
        // Another version does not say.
        isMakingThumbnails = members["making_thumbnails"]?.bool ?? false
        self.syncs = syncs
        nextRefresh = members["next_refresh"]?.string.flatMap(Time.seconds)
        if !backfill.isNull {
            guard let backfill = Activity.Backfill(backfill) else { return nil }
            self.backfill = backfill
        }
        for trouble in troubles {
            guard let name = trouble["duty"]?.string.flatMap(ServicePart.init), let trouble = Activity.Trouble(trouble)
            else { return nil }
            self.troubles[name] = trouble
        }
    }
}

extension Settings {
    fileprivate var json: JSON { .object(shown.map { ($0.key, .string($0.value)) }) }
}

extension Activity.Backfill {
    fileprivate var json: JSON {
        .object([
            ("missing", .integer(missing)), ("at", .string("\(at)")), ("seconds_left", .optional(secondsLeft)),
        ])
    }

    fileprivate init?(_ json: JSONText) {
        guard let missing = json["missing"]?.integer, let at = json["at"]?.string.flatMap({ Day($0) }) else {
            return nil
        }
        self.init(missing: missing, at: at, secondsLeft: json["seconds_left"]?.integer)
    }
}

extension Activity.Trouble {
    fileprivate func json(_ name: ServicePart) -> JSON {
        .object([
            ("duty", .string(name.rawValue)), ("reason", .string(why)), ("retry", .string(Time.text(retry))),
        ])
    }

    fileprivate init?(_ json: JSONText) {
        guard let why = json["reason"]?.string, let retry = json["retry"]?.string.flatMap(Time.seconds) else {
            return nil
        }
        self.init(why: why, retry: retry)
    }
}
