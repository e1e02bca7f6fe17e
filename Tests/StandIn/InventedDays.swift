import Apod
import CVips
import Glibc
import Synchronization
import TestSupport

/// Days to look at: drawn skies of many shapes, and among them whatever NASA shows beside pictures.
enum InventedDays {
    /// What a day is comes from its date alone, so that it is the same tomorrow.
    static func entry(_ plain: Entry, _ gallery: Gallery) -> Entry {
        var entry = plain
        switch plain.day.number % cycle {
        case 1: entry.media = .video
        case 4: entry.media = .youTube(id: "7Q9Vv4u1kTU")
        case 7: entry.media = .text
        case 10: entry.further = [Entry.Further("b", alt: "The same in another light.")]
        case 13: entry.media = .picture(.png)
        case 16, 27: (entry.width, entry.height) = (1080, 1500)
        case 19: (entry.width, entry.height) = (3200, 1000)
        case 28: entry.further = [Entry.Further("b", isRollover: true, alt: "The same in infrared light.")]
        default: (entry.width, entry.height) = (1600, 1067)
        }
        if entry.explanation == nil, plain.day.number % 2 == 1 { entry.explanation = speaking(plain.day) }
        if entry.width < 1000 { (entry.width, entry.height) = (1200, 1200) }
        entry.making = gallery.making
        return entry
    }

    private static let cycle = 30

    /// A text that leads to two other days; of one of them, many speak.
    private static func speaking(_ day: Day) -> String {
        func link(_ words: String, back days: Int) -> String {
            "<a href=\"https://apod.nasa.gov/apod/ap\(day.advanced(by: -days).compact).html\">\(words)</a>"
        }
        let (near, far) = (
            link("three nights before", back: 3), link("the first of its kind", back: day.number % cycle)
        )
        return "\(Invented.explanation(day)) Compare it with the one \(near), and with \(far)."
    }

    /// The newest day that is to be corrected; nil where it has been.
    static func correctable(_ days: [Day], but corrected: Set<Day>) -> Day? {
        // Those above have other remainders.
        let plain = days.dropLast(2).last { $0.number % 3 == 2 }
        return plain.flatMap { corrected.contains($0) ? nil : $0 }
    }

    /// Another picture, and other words.
    static func corrected(_ entry: Entry) -> Entry {
        var entry = entry
        entry.seed += UInt64(SkyPicture.Motif.allCases.count)
        entry.explanation =
            "This picture and this text were corrected after they appeared. The first showed another sky."
        return entry
    }
}

/// The drawn files, each drawn once.
final class Gallery: Sendable {
    private let drawn = Mutex<[String: Body]>([:])

    init() {
        vips_init("apod-stand-in")
        vips_concurrency_set(1)
    }

    var making: @Sendable (Entry, String, Int) -> Body? { { self.body($0, $1, $2) } }

    private func body(_ entry: Entry, _ path: String, _ part: Int) -> Body? {
        let key = "\(path) \(entry.seed) \(part)"
        if let body = drawn.withLock({ $0[key] }) { return body }
        let body =
            if let format = Entry.Format(rawValue: String(path.suffix(3))) {
                SkyPicture(
                    width: entry.width / part, height: entry.height / part, seed: entry.seed,
                    isInOtherLight: path.dropLast(4).hasSuffix("_b")
                ).encoded(format)
            } else {
                Body(PackageResources.film_mp4)
            }
        drawn.withLock { $0[key] = body }
        return body
    }
}
