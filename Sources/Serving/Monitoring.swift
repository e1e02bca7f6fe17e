import Apod
import HTTP

/// `/health` and `/metrics`, from the status that the service publishes beside the index.
struct Monitoring {
    let root: PublishedTree.Root?
    let requests: Int
    let now: Int

    var health: Response {
        let newest = root?.days.newest?.day
        let state = root == nil ? "away" : newest == nil ? "empty" : isStale ? "stale" : "ok"
        return .json(
            .sparse([
                ("status", .string(state)), ("newest", newest.map(JSON.day) ?? .null),
                ("why", state == "ok" ? nil : (failure?.words ?? silence).map(JSON.string)),
            ]), status: state == "ok" ? 200 : 503
        ).cached(.never)
    }

    /// Whether new days have stayed away for two days: no service works, or what is wrong keeps them away, as `apod-mirror
    /// status` fails.
    private var isStale: Bool {
        guard let status = root?.status else { return false }
        if silence != nil { return true }
        let outages = ["waiting", "trouble", "unfinished"]
        return status["last_refresh"]?.moment ?? 0 < now - Self.patience
            && status["conditions"]?.elements?.contains { outages.contains($0["code"]?.string ?? "") } == true
    }

    private static let patience = 2 * 86_400

    /// Says that a service has written no status and a command brought no day for two days: each refresh of a service
    /// writes one.
    private var silence: String? {
        guard let written = root?.status?["published"]?.moment, written < now - Self.patience,
            root?.days.newest?.day.map({ $0.noon < now - Self.patience }) != false
        else { return nil }
        return "no sign of the service since \(Time.local(written))"
    }

    /// Of what is wrong, the first that failed. The rest may name a person's own files.
    private var failure: Problem? {
        root?.status?["conditions"]?.elements?.lazy.compactMap { $0["failure"].flatMap(Problem.init) }.first
    }

    /// Prometheus's text format, 0.0.4.
    var metrics: Response {
        let status = root?.status ?? [:]
        func count(_ member: String) -> Int? { status[member]?.integer }
        let newest = status["newest"]?.day
        let gauges: [(name: String, help: String, value: Int?)] = [
            ("up", "Whether the mirror's folder is there.", root == nil ? 0 : 1),
            ("records", "Days with a record.", count("days")),
            ("pictures", "Pictures.", count("pictures")),
            ("missing_records", "Days that are wanted and not here yet.", count("missing")),
            ("failed_records", "Days that could not be fetched.", count("failed")),
            ("incomplete_records", "Days that lack a file.", count("incomplete")),
            ("favorites", "Favorites.", count("favorites")),
            ("bytes", "Bytes of the days' files.", count("bytes")),
            ("conditions", "What is wrong, as apod-mirror status lists it.", status["conditions"]?.elements?.count),
            ("newest_age_seconds", "Time since the newest day began.", newest.map { now - $0.number * 86_400 }),
            ("last_refresh_timestamp_seconds", "When the last refresh ended well.", status["last_refresh"]?.moment),
        ]
        var text = ""
        for (name, help, value) in gauges {
            guard let value else { continue }
            text +=
                "# HELP apod_mirror_\(name) \(help)\n# TYPE apod_mirror_\(name) gauge\napod_mirror_\(name) \(value)\n"
        }
        text += """
            # HELP apod_mirror_http_requests_total Requests since this server started.
            # TYPE apod_mirror_http_requests_total counter
            apod_mirror_http_requests_total \(requests)

            """
        return Response(
            type: "text/plain; version=0.0.4; charset=utf-8", body: .bytes(text.bytes), caching: .never)
    }
}
