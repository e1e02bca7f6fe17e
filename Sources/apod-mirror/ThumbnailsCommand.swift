import Apod
import Archive
import Concurrency
import Configuration
import Daemon
import Files
import Synchronization
import Syncing
import Thumbnails

/// `apod-mirror thumbnails`
struct ThumbnailsCommand {
    private let settings: Settings
    private let days: Set<Day>
    private let asJSON: Bool

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        settings = configuration.settings
        asJSON = usage.has("json")
        var days: Set<Day> = []
        for word in usage.words { days.insert(try Usage.day(word)) }
        self.days = days
    }

    func run() async -> ExitStatus {
        guard Archive.hasCatalog(root: settings.root, state: settings.state) else {
            return nothingMirrored(in: settings.root)
        }
        do {
            let mirror = try OpenMirror.begin(settings)
            let gallery = GalleryCatchUp(mirror)
            let status = await makeThumbnails(mirror.archive, for: gallery, of: days, asJSON: asJSON, isQuiet: false)
            try await gallery.run()
            return status
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
    }
}

/// Makes those that are missing, or those of some days, and shows each as it comes. `isQuiet`: says nothing where there
/// was nothing to do.
func makeThumbnails(
    _ archive: Archive, for gallery: GalleryCatchUp, of days: Set<Day> = [], asJSON: Bool = false, isQuiet: Bool = true
) async -> ExitStatus {
    let display = ThumbnailDisplay(root: archive.tree.root.path, asJSON: asJSON)
    let work = Task(executorPreference: ThreadExecutor.shared) {
        let thumbnails = Thumbnails(archive)
        let missing = try await blocking { () throws(ArchiveError) in
            if !gallery.isBehindNothing { try thumbnails.tidy() }
            try thumbnails.removeStale()
            return try thumbnails.missing()
        }
        let wanted = days.isEmpty ? missing : Array(days)
        display.begin(of: wanted.count)
        for await thumbnail in thumbnails.thumbnails(for: wanted, named: !days.isEmpty) {
            display.show(thumbnail)
            gallery.changedDays.add([thumbnail.day])
        }
    }
    Signals.onFirst { work.cancel() }
    let result = await work.result
    let status = display.end(isQuiet: isQuiet)
    guard case .failure(let error) = result else { return status }
    Terminal.complain("\(error)")
    return .incomplete
}
