import Apod
import Glibc
import TestSupport

/// What the command line asks for.
struct Options {
    private(set) var days = 400
    private(set) var newest = NewYork.day(at: time(nil))
    private(set) var bytes = 500_000
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
        usage: benchmark-upstream [--days N] [--newest YYYY-MM-DD] [--bytes N] [--pictures ORIGIN] [--port N]
                   [--delay MILLISECONDS] [--stall-after BYTES] [--log FILE]
               benchmark-upstream --write-pictures FOLDER [--days N] [--newest YYYY-MM-DD] [--bytes N]
        """

    init(_ arguments: some Collection<String>) throws(Mistake) {
        var words = Array(arguments)[...]
        while let name = words.popFirst() {
            guard let value = words.popFirst() else { throw Mistake(text: Self.usage) }
            try set(name, value)
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(Mistake) {
        switch name {
        case "--days": days = try Self.number(value)
        case "--bytes": bytes = try Self.number(value)
        case "--newest":
            guard let day = Day(value) else { throw Mistake(text: "no day: \(value)") }
            newest = day
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

    var entries: [Entry] { Entry.days(days, newest: newest, bytes: bytes) }
}
