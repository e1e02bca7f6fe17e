package import Apod
package import Configuration
internal import Favorites
internal import Syncing

/// What the service says of itself, over its socket.
package struct ServiceStatus: Sendable, Equatable {
    package let root: String
    package let version: String
    /// The process id.
    package let process: Int
    package private(set) var state: Activity.State

    /// Without a next refresh in the past: one that is due is about to begin.
    package func at(_ now: Int) -> ServiceStatus {
        var status = self
        status.state.nextRefresh = state.nextRefresh.map { max($0, now) }
        return status
    }

    package func hasRead(_ file: String) -> Bool { state.settingsFile == file }

    /// The status without `contact`.
    package var published: ServiceStatus {
        var status = self
        status.state.settings?.contact = nil
        return status
    }

    /// The settings in force, with the root as the command names it; nil where the service does not say.
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
            ("waiting", state.waiting?.json ?? .null),
            ("refused_settings", .optional(state.refusedSettings)),
            ("settings", state.settings?.json ?? .null),
            ("settings_file", .optional(state.settingsFile)),
            ("refreshing", .bool(state.isRefreshing)),
            ("making_thumbnails", .bool(state.isMakingThumbnails)),
            ("syncs", .integer(state.syncs)),
            ("next_refresh", .optional(state.nextRefresh.map(Time.text))),
            ("watching", state.watching?.json ?? .null),
            ("backfill", state.backfill?.json ?? .null),
            (
                "troubles",
                .array(ServicePart.allCases.compactMap { name in state.troubles[name].map { $0.json(name) } })
            ),
        ])
    }
}

extension ServiceStatus {
    init?(_ json: JSONText) {
        guard let members = json.members, let root = members["root"]?.string, let version = members["version"]?.string,
            let process = members["process"]?.integer, let state = Activity.State(members)
        else { return nil }
        self.init(root: root, version: version, process: process, state: state)
    }

    package var conditions: [Condition] {
        let lack = state.watching?.lack.map { Condition.folderLost($0, hasFavorites: true) }
        return Conditions.of(state) + [lack].compactMap(\.self)
    }

    /// The member `service` of `status --json`. What is wrong is among the conditions.
    package var summary: JSON {
        .object([
            ("version", .string(version)), ("process", .integer(process)), ("settings", state.settings?.json ?? .null),
            ("settings_file", .optional(state.settingsFile)),
            ("doing", .strings(state.work.map(\.rawValue))),
        ])
    }
}

extension Activity.State {
    /// Work that can be under way, as `status` lists it.
    package enum Work: String, Sendable { case refresh, sync, backfill, thumbnails }

    package var work: [Work] {
        let work: [(Work, Bool)] = [
            (.refresh, isRefreshing), (.sync, syncs > 0), (.backfill, backfill != nil),
            (.thumbnails, isMakingThumbnails),
        ]
        return work.filter(\.1).map(\.0)
    }
}

extension Activity.State {
    fileprivate init?(_ members: [String: JSONText]) {
        guard let isRefreshing = members["refreshing"]?.bool, let syncs = members["syncs"]?.integer,
            let troubles = members["troubles"]?.elements,
            let backfill = members["backfill"].optional({ Activity.Backfill($0) })
        else { return nil }
        self.init()
        waiting = Failure(members["waiting"])
        refusedSettings = members["refused_settings"]?.string
        settings = members["settings"]?.members.flatMap { Settings(shown: $0.compactMapValues(\.string)) }
        settingsFile = members["settings_file"]?.string
        self.isRefreshing = isRefreshing
        // A service of another version may leave this out.
        isMakingThumbnails = members["making_thumbnails"]?.bool ?? false
        self.syncs = syncs
        nextRefresh = members["next_refresh"]?.moment
        watching = members["watching"].flatMap { WatchState($0) }
        self.backfill = backfill
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
            ("missing", .integer(missing)), ("at", .day(at)), ("seconds_left", .optional(secondsLeft)),
        ])
    }

    fileprivate init?(_ json: JSONText) {
        guard let missing = json["missing"]?.integer, let at = json["at"]?.day else { return nil }
        self.init(missing: missing, at: at, secondsLeft: json["seconds_left"]?.integer)
    }
}

extension Activity.Trouble {
    fileprivate func json(_ name: ServicePart) -> JSON {
        .object([
            ("duty", .string(name.rawValue)), ("failure", failure.json), ("retry", .moment(retry)),
        ])
    }

    fileprivate init?(_ json: JSONText) {
        guard let failure = Failure(json["failure"]), let retry = json["retry"]?.moment else { return nil }
        self.init(failure, retry: retry)
    }
}
