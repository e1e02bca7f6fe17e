/// Moments as people and programs read them: `2026-11-20T05:05:00Z`.
package enum Time {
    package static func text(_ seconds: Int) -> String {
        let day = Day(utc: seconds)
        let second = seconds - day.number * 86_400
        let parts = [second / 3600, second / 60 % 60, second % 60].map(Day.padded)
        return "\(day)T\(parts[0]):\(parts[1]):\(parts[2])Z"
    }

    package static func seconds(_ text: String) -> Int? {
        guard text.utf8.count == 20, text.hasSuffix("Z"), let day = Day(text.prefix(10)) else { return nil }
        let parts = text.dropFirst(11).dropLast().split(separator: ":").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        return day.number * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
    }
}
