import Archive
import Configuration
import Control
import Syncing

/// A command that only reads, for those who may not look into the catalog: the service does it for them.
enum ServiceReadout {
    /// nil if whoever asks is to look themselves.
    static func show(_ query: Query, _ settings: Settings) -> ExitStatus? {
        guard !Archive.sharesCatalog(root: settings.root, state: settings.state),
            let messages = ControlClient.read(query, root: settings.root)
        else { return nil }
        for message in fitted(messages, of: query, settings.root) {
            switch (message, query) {
            case (.said(let path), .search(_, as: .paths)), (.said(let path), .favorites(as: .paths)):
                Terminal.print(path: path)
            case (.said(let words), .search(_, as: .excerpts)): SearchLine.show(words)
            case (.said(let words), .status(asJSON: false, _)): StatusLine.show(line: words)
            case (.said(let words), _): Terminal.print(words)
            default: Terminal.complain(message.words)
            }
        }
        return .done
    }

    /// Of `status`, what has room in the window. Which options belong behind the commands that it names, and how wide the
    /// window is, the service does not know: where it has said too much for that, it is asked for less.
    private static func fitted(_ messages: [Message], of query: Query, _ root: String) -> [Message] {
        guard case .status(asJSON: false, let rows?) = query else { return messages }
        // The last row is for what is typed next.
        let room = rows - 1 - Terminal.rowsOfComplaints
        var (fitted, asked) = (messages, rows)
        for _ in 1...3 {
            let excess = height(fitted) - room
            if excess <= 0 || asked == 1 { break }
            asked = max(1, asked - excess)
            guard let fewer = ControlClient.read(.status(asJSON: false, rows: asked), root: root) else { break }
            fitted = fewer
        }
        return fitted
    }

    private static func height(_ messages: [Message]) -> Int {
        messages.reduce(0) { rows, message in
            if case .said(let words) = message { return rows + StatusLine.rows(line: words) }
            return rows + StatusLine.rows("apod-mirror: \(message.words)", behind: 0)
        }
    }
}
