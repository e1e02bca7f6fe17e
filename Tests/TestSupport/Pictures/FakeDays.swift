import Apod

/// The days that the fake NASA has, in order.
struct FakeDays: Sendable {
    private(set) var days: [Day] = []
    private var entries: [Day: Entry] = [:]
    private var owners: [String: Day] = [:]
    /// Records as they are sent, kept until any day changes: what a benchmark measures is not this server.
    private var texts: [Day: [UInt8]] = [:]
    private(set) var version = 0
    var intercept: (@Sendable (Request) -> Response?)?

    init(_ entries: [Entry]) {
        for entry in entries { enter(entry) }
        days = self.entries.keys.sorted()
    }

    subscript(day: Day) -> Entry? {
        get { entries[day] }
        set {
            version += 1
            texts = [:]
            for path in entries[day]?.paths ?? [] { owners[path] = nil }
            let index = self.index(of: day)
            let isThere = index < days.count && days[index] == day
            if let newValue {
                enter(newValue)
                if !isThere { days.insert(day, at: index) }
            } else {
                entries[day] = nil
                if isThere { days.remove(at: index) }
            }
        }
    }

    private mutating func enter(_ entry: Entry) {
        entries[entry.day] = entry
        for path in entry.paths { owners[path] = entry.day }
    }

    func text(_ day: Day) -> [UInt8]? { texts[day] }

    mutating func keep(_ text: [UInt8], for day: Day, version: Int) {
        if version == self.version { texts[day] = text }
    }

    func owner(of path: String) -> Entry? { owners[path].flatMap { entries[$0] } }

    func days(from first: Day?, to last: Day?) -> ArraySlice<Day> {
        let start = first.map(index) ?? 0
        let end = last.map { day in index(of: day) + (entries[day] == nil ? 0 : 1) } ?? days.count
        return days[start..<max(start, end)]
    }

    func record(_ day: Day, origin: String, pictures: String) -> Record? {
        guard let entry = entries[day] else { return nil }
        let index = index(of: day)
        return Record(
            entry: entry, origin: origin, pictures: pictures,
            before: index > 0 ? entries[days[index - 1]] : nil,
            after: index + 1 < days.count ? entries[days[index + 1]] : nil)
    }

    /// The place of the first day that is not before this one.
    private func index(of day: Day) -> Int {
        var (low, high) = (0, days.count)
        while low < high {
            let middle = (low + high) / 2
            if days[middle] < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
