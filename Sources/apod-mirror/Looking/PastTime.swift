import Apod
import Configuration
import Glibc
import Service

/// A moment as people write it: a day or a time in this machine's zone, a time that ends in Z, or `2h` for that long ago.
enum PastTime {
    /// Returns seconds since 1970.
    static func seconds(_ word: String) throws(Usage.Mistake) -> Int {
        if let seconds = age(word).map({ time(nil) - $0 }) ?? Time.seconds(word) ?? local(word) { return seconds }
        if let reason = Day.reason(against: word) { throw Usage.Mistake(reason) }
        throw Usage.Mistake(
            """
            “\(Text.shown(word, atMost: 60))” is not a time; write it as 2026-11-20, as "2026-11-20 14:30", or as 2h, 30m or 3d \
            for that long ago
            """)
    }

    private static let units: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400]

    private static func age(_ word: String) -> Int? {
        guard let unit = word.last.flatMap({ units[$0] }), let count = UInt16(word.dropLast()) else { return nil }
        return Int(count) * unit
    }

    /// `2026-11-20`, `2026-11-20 14:30` or `2026-11-20T14:30:05`.
    private static func local(_ word: String) -> Int? {
        guard let day = Day(word.prefix(10)) else { return nil }
        let rest = word.dropFirst(10)
        if rest.isEmpty { return seconds(of: day, [0, 0, 0]) }
        guard rest.first == " " || rest.first == "T" else { return nil }
        let parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.filter { $0.wholeMatch(of: /[0-9][0-9]/) != nil }.compactMap { Int32($0) }
        guard numbers.count == parts.count, [2, 3].contains(parts.count) else { return nil }
        let limits: [Int32] = [23, 59, 59]
        guard zip(numbers, limits).allSatisfy({ $0 <= $1 }) else { return nil }
        return seconds(of: day, numbers + [0])
    }

    private static func seconds(of day: Day, _ clock: [Int32]) -> Int? {
        var midnight = time_t(day.number * 86_400)
        var parts = tm()
        gmtime_r(&midnight, &parts)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
        // mktime(3) finds out whether it is daylight saving time.
        parts.tm_isdst = -1
        return mktime(&parts)
    }
}
