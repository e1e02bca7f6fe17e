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
        for message in messages {
            switch (message, query) {
            case (.said(let path), .search(_, as: .paths)), (.said(let path), .favorites(as: .paths)):
                Terminal.print(path: path)
            case (.said(let words), .search(_, as: .excerpts)): Terminal.print(highlighting: words)
            case (.said(let words), .status(asJSON: false, _)): StatusLine.show(line: words)
            case (.said(let words), _): Terminal.print(words)
            default: Terminal.complain(message.words)
            }
        }
        return .done
    }
}
