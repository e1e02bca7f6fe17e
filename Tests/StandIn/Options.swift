import Apod
import Glibc
import TestSupport

/// What the command line asks for.
struct Options {
    private(set) var days = 400
    private(set) var newest = NewYork.day(at: time(nil))
    private(set) var bytes = 500_000
    /// All pictures are drawn skies of this size; nil for one grey tone.
    private(set) var size: (width: Int, height: Int)?
    /// Days of all kinds, of which one is corrected after a while.
    private(set) var isInvented = false
    /// Those that were corrected before.
    private(set) var corrected: Set<Day> = []
    /// Where the records say that the pictures are; nil for here.
    private(set) var pictures: String?
    /// Write the pictures there instead of serving.
    private(set) var folder: String?
    /// 0: one that the kernel chooses.
    private(set) var port = 0
    /// Before each picture.
    private(set) var delay = Duration.zero
    /// How much comes of a picture that is asked for the first time; then nothing more.
    private(set) var stall: Int?
    /// A file that gets a line for each request for a picture.
    private(set) var log: String?

    struct Mistake: Error {
        let text: String
    }

    private static let usage = """
        usage: apod-stand-in [--days N] [--newest YYYY-MM-DD] [--bytes N | --skies WIDTHxHEIGHT] [--pictures ORIGIN]
                   [--port N] [--delay MILLISECONDS] [--stall-after BYTES] [--log FILE]
               apod-stand-in --invented [--days N] [--newest YYYY-MM-DD] [--port N] [--corrected YYYY-MM-DD,…]
               apod-stand-in --write-pictures FOLDER [--days N] [--newest YYYY-MM-DD] [--bytes N | --skies WIDTHxHEIGHT]
        """

    init(_ arguments: some Collection<String>) throws(Mistake) {
        var words = Array(arguments)[...]
        while let name = words.popFirst() {
            if name == "--invented" {
                isInvented = true
                continue
            }
            guard let value = words.popFirst() else { throw Mistake(text: Self.usage) }
            try set(name, value)
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(Mistake) {
        switch name {
        case "--days": days = try Self.number(value)
        case "--bytes": bytes = try Self.number(value)
        case "--newest": newest = try Self.day(value)
        case "--corrected": for day in value.split(separator: ",") { corrected.insert(try Self.day(String(day))) }
        case "--skies":
            let sides = value.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.min()! >= 16 else { throw Mistake(text: "no size: \(value)") }
            size = (sides[0], sides[1])
        case "--pictures": pictures = value
        case "--write-pictures": folder = value
        case "--port": port = try Self.number(value)
        case "--delay": delay = .milliseconds(try Self.number(value))
        case "--stall-after": stall = try Self.number(value)
        case "--log": log = value
        default: throw Mistake(text: Self.usage)
        }
    }

    private static func number(_ text: String) throws(Mistake) -> Int {
        guard let number = Int(text), number > 0 else { throw Mistake(text: "no number: \(text)") }
        return number
    }

    private static func day(_ text: String) throws(Mistake) -> Day {
        guard let day = Day(text) else { throw Mistake(text: "no day: \(text)") }
        return day
    }

    var entries: [Entry] {
        let plain = Entry.days(days, newest: newest, bytes: bytes)
        guard isInvented || size != nil else { return plain }
        let gallery = Gallery()
        return plain.map { entry in
            if isInvented {
                let entry = InventedDays.entry(entry, gallery)
                return corrected.contains(entry.day) ? InventedDays.corrected(entry) : entry
            }
            var entry = entry
            (entry.width, entry.height) = size!
            entry.making = gallery.making
            return entry
        }
    }
}
