import Archive
import Service

/// A command that only reads, for those who may not look into the catalog: the service does it for them.
enum ServiceReadout {
    /// nil if whoever asks is to look themselves.
    static func show(_ reading: Reading, _ settings: Settings) -> ExitStatus? {
        guard !Archive.sharesCatalog(root: settings.root, state: settings.state),
            let entries = ControlClient.read(reading, root: settings.root)
        else { return nil }
        for entry in entries {
            switch (entry, reading) {
            case (.said(let words), .search): Terminal.print(marked: words)
            case (.said(let words), _): Terminal.print(words)
            default: Terminal.complain(entry.words)
            }
        }
        return .done
    }
}
