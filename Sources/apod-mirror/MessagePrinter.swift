import Apod
import Archive
import Syncing

/// Tells what is done: line by line, or what is done to the favorites as one document when all is done.
struct MessagePrinter {
    private let asJSON: Bool
    private var changes: [JSON] = []
    private(set) var status = ExitStatus.done

    init(asJSON: Bool) { self.asJSON = asJSON }

    mutating func enter(_ message: Message) {
        switch message {
        case .changed(let change, let day, let link): enter(change, day, link)
        case .said(let words): say(words)
        case .warned(let words): Terminal.complain(words)
        case .complained(let words): complain(words)
        }
    }

    private mutating func enter(_ change: Message.Change, _ day: Day, _ link: String?) {
        changes.append(
            .object([
                ("date", .string("\(day)")), ("link", .optional(link)), ("change", .string(change.rawValue)),
            ]))
        say(link.map { "\(change) \(Text.shown("\(Tree.favorites)/\($0)"))" } ?? "forgot the vanished links to \(day)")
    }

    private func say(_ words: String) { if !asJSON { Terminal.print(words) } }

    mutating func complain(_ words: String) {
        Terminal.complain(words)
        status = .incomplete
    }

    func end() { if asJSON { Terminal.print(.array(changes)) } }
}
