import Apod
import Files

/// Gives the files of some days their final names, records the days in the catalog, and names their JSON last.
///
/// The order makes every interruption safe: what is replaced becomes a version first (`Versions`), then come the new files,
/// the catalog, the end of former files, the JSON and the `latest` links. Each step refers only to what is on the disk. A
/// day whose JSON is still in `unfinished` is stored once more when the mirror is opened (`UnfinishedDays`), so each step
/// leaves alone what is done.
struct Publication {
    let tree: Tree
    let catalog: Catalog
    let days: [StagedDay.Ready]
    let read: RecordReader

    func run() throws {
        var former: [FormerState] = []
        for ready in days {
            former.append(
                try tree.wrapping(month: ready.name.folder) { try FormerState(ready, in: tree, read: read) })
        }
        let versions = try keep(former)
        try publishFiles(former)
        let updates = days.map { Catalog.Update($0.item, $0.stagedDay) }
        let back = days.compactMap { ready in ready.stagedDay.document.mirror.number.map { (ready.name.key, $0) } }
        _ = try catalog.record(updates, replacing: versions, back: back)
        if former.contains(where: { !$0.dropped.isEmpty }) {
            // What goes may be what `latest` leads to.
            try tree.pointLatest(by: catalog)
            try each(former) { state in
                for file in state.dropped where try state.month.facts(of: file)?.isRegular == true {
                    try state.month.remove(file)
                }
            }
            try sync(former)
        }
        try each(former) { state in
            try state.ready.json.publish(in: state.month, as: state.ready.name.with(FileName.json))
        }
        try sync(former)
        try tree.pointLatest(by: catalog)
    }

    /// Returns when the former states are on the disk.
    private func keep(_ former: [FormerState]) throws -> [FormerVersion] {
        var versions: [FormerVersion] = []
        try each(former) { state in
            for file in state.strangers { try tree.setAside(file, in: state.month) }
            guard state.isKept, let document = state.document else { return }
            versions.append(
                try tree.versions.keep(
                    document, state.leaving, from: state.month, at: state.ready.stagedDay.moment,
                    isReverted: state.isReverted, staging: tree.unfinished
                ).entry)
        }
        return versions
    }

    private func publishFiles(_ former: [FormerState]) throws {
        try each(former) { state in
            for (ending, file) in state.ready.stagedDay.staged {
                try file.publish(in: state.month, as: state.ready.name.with(ending: ending))
            }
        }
        // Behind the JSON, nobody would do it again after a power cut.
        let documents = days.map { $0.name.with(FileName.json) }
        for (path, month) in months(former) { tree.hideFiles(in: month, path, coming: documents) }
        try sync(former)
    }

    private func each(_ former: [FormerState], _ step: (FormerState) throws -> Void) throws {
        for state in former { try tree.wrapping(month: state.ready.name.folder) { try step(state) } }
    }

    private func months(_ former: [FormerState]) -> [String: Folder] {
        Dictionary(former.map { ($0.ready.name.folder, $0.month) }) { first, _ in first }
    }

    private func sync(_ former: [FormerState]) throws {
        for (path, month) in months(former) { try tree.wrapping(month: path, month.sync) }
    }
}

extension Catalog.Update {
    init(_ item: Item, _ staged: StagedDay) {
        if let picture = staged.picture {
            self.init(item, picture)
        } else {
            self.init(item, title: staged.document.title, explanation: staged.document.explanation, speaksOf: [])
        }
    }
}
