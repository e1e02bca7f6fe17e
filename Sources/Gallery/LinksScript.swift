internal import Apod
internal import Archive

/// `gallery/data/links.js`: which days' texts lead to which days. Each word is a day and those that it leads to, each of
/// them three digits to the base of 36 that count from the first day of APOD.
enum LinksScript {
    static let name = "links.js"

    /// `links`: sorted by their days.
    static func bytes(_ links: [(day: Day, target: Day)]) -> [UInt8] {
        var bytes = Array("\(GeneratedFile.script)apod.links(\"".utf8)
        bytes.reserveCapacity(bytes.count + links.count * 8)
        var last: Day?
        for (day, target) in links {
            if day != last {
                if last != nil { bytes.append(UInt8(ascii: " ")) }
                append(day, to: &bytes)
                last = day
            }
            append(target, to: &bytes)
        }
        return bytes + "\");\n".utf8
    }

    private static func append(_ day: Day, to bytes: inout [UInt8]) {
        let number = day.number - Day.first.number
        for digit in [number / 1296, number / 36 % 36, number % 36] {
            bytes.append(digits[digit])
        }
    }

    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
}
