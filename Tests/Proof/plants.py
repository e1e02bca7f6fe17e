"""Faults that a part must find, planted in a copy of the source: name, file, what stands there, what is put in its place."""

PLANTS = {
    "threes": [
        ("a favorite that ended is deleted at once", "Sources/Catalog/Catalog+PruneCandidates.swift",
         r"ended > \(believed) - \(grace))", r"ended > \(believed))"),
        ("a clock that is ahead is believed", "Sources/Catalog/Catalog+PruneCandidates.swift",
         "min(?1, coalesce(", "max(?1, coalesce("),
        ("a former text is not kept", "Sources/Archive/Publishing/FormerFiles.swift",
         "&& read(document.record)?.content != ready", "&& read(document.record)?.content == ready"),
        ("what returns is a favorite since now", "Sources/Catalog/Catalog+Links.swift",
         ".flag(isRecent), .integer(moment))", ".flag(false), .integer(moment))"),
        ("one end alone is not in the history", "Sources/Catalog/Catalog+Links.swift",
         "let entries = departures.ended.map {",
         "let entries = departures.ended.dropFirst(departures.ended.count == 1 ? 1 : 0).map {"),
    ],
    "side": [
        ("a day has no lock", "Sources/Archive/Publishing/DayLocks.swift",
         "if state.busy.insert(day).inserted { return nil }", "if state.busy.insert(day).inserted || true { return nil }"),
        ("a removal is told before it is believed", "Sources/Favorites/Reconciler+Ending.swift",
         "state.expire(places, after: settleDelay)", ""),
        ("no second look before a link ends", "Sources/Favorites/Reconciler+Ending.swift",
         "        try look(again: Set(overdue(state).map(\\.link.place)), &state)\n", ""),
    ],
}
