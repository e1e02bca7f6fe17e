import Apod
import Synchronization
import Thumbnails

/// Shows what comes of pictures: paths on standard output, and what went wrong on standard error.
final class ThumbnailDisplay: Sendable {
    private struct Tally {
        var wanted = 0
        var done = 0
        var bytes = 0
        var failed = false
        var list: [JSON] = []
    }

    private final class Counter: Sendable { let tally = Mutex(Tally()) }

    private let root: String
    private let asJSON: Bool
    private let counter: Counter
    private let bar: ProgressBar?

    init(root: String, asJSON: Bool) {
        self.root = root
        self.asJSON = asJSON
        let counter = Counter()
        self.counter = counter
        bar = Terminal.isInteractive ? ProgressBar { counter.tally.withLock(\.bytes) } : nil
    }

    func begin(of count: Int) {
        counter.tally.withLock { $0.wanted = count }
        draw()
    }

    func show(_ thumbnail: Thumbnail) {
        counter.tally.withLock { tally in
            tally.done += 1
            if case .made(_, let bytes) = thumbnail.outcome { tally.bytes += bytes }
            if thumbnail.complaint != nil { tally.failed = true }
            if asJSON { tally.list.append(thumbnail.json(in: root)) }
        }
        if let bar { bar.clear { tell(thumbnail) } } else { tell(thumbnail) }
        draw()
    }

    private func tell(_ thumbnail: Thumbnail) {
        if let complaint = thumbnail.complaint { Terminal.complain(complaint) }
        if asJSON { return }
        for path in thumbnail.paths { Terminal.print(path: "\(root)/\(path)") }
    }

    private func draw() {
        let (done, wanted) = counter.tally.withLock { ($0.done, $0.wanted) }
        if wanted > 0 { bar?.draw(done: done, of: wanted, unit: "pictures") }
    }

    func end(isQuiet: Bool) -> ExitStatus {
        bar?.clear()
        let tally = counter.tally.withLock(\.self)
        if asJSON {
            Terminal.print(.array(tally.list))
        } else if tally.wanted == 0, !isQuiet, !Signals.isAsked {
            Terminal.print("nothing to make")
        }
        return tally.failed || Signals.isAsked ? .incomplete : .done
    }
}

extension Thumbnail {
    var paths: [String] {
        switch outcome {
        case .made(let paths, _), .kept(let paths): paths
        case .refused, .failed: []
        }
    }

    /// What a person is to know.
    var complaint: String? {
        switch outcome {
        case .made, .kept: nil
        case .refused(let why): "no thumbnail can be made of the picture of \(day): \(why)"
        case .failed(let why): "no thumbnail was made of the picture of \(day): \(why)"
        }
    }

    fileprivate func json(in root: String) -> JSON {
        let (state, reason): (String, String?) =
            switch outcome {
            case .made: ("made", nil)
            case .kept: ("kept", nil)
            case .refused(let why): ("refused", why)
            case .failed(let why): ("failed", why)
            }
        return .object([
            ("date", .string("\(day)")), ("state", .string(state)),
            ("files", .array(paths.map { .string("\(root)/\($0)") })), ("reason", .optional(reason)),
        ])
    }
}
