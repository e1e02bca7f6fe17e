import Apod
import Archive
import Favorites
import Files
import Glibc
import Service

/// `apod-mirror run`
struct Run {
    private let settings: Settings

    init(_ configuration: Configuration) { settings = configuration.settings }

    func run() async -> ExitStatus {
        // Whoever started this may have left files open, and libinotifytools needs a low descriptor.
        closefrom(3)
        let session: Session
        do throws(ArchiveError) {
            session = try Session.begin(settings)
        } catch {
            Terminal.complain(error.description)
            return .incomplete
        }
        let folder = Text.shown("\(settings.root)/\(Tree.favorites)")
        let keeper = session.keeper { Self.tell($0, of: folder) }
        let wishes = Wishes(session, keeper) { Self.tell($0) }
        let service = Task(executorPreference: Threads.shared) {
            try await withThrowingTaskGroup { group in
                group.addTask { try await keeper.run() }
                group.addTask { await wishes.run() }
                try await group.next()
                group.cancelAll()
            }
        }
        Interruption.onFirst { service.cancel() }
        do {
            try await service.value
            return .done
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
    }

    private static func tell(_ event: Keeper.Event, of folder: String) {
        switch event {
        case .watching(.inotify): Terminal.print("watching \(folder)")
        case .watching(.polling(let why)):
            Terminal.print(Terminal.visible("looking into \(folder) every few seconds: \(why)"))
        case .watching(.lost(let why)): Terminal.complain("no favorites folder: \(why); it is waited for")
        case .vanished(let links):
            Terminal.complain(
                """
                \(links == 1 ? "1 link has" : "\(links) links have") vanished from \(folder); their pictures stay favorites. \
                `apod-mirror favorites restore` makes the links again, `apod-mirror favorites forget` confirms
                """)
        case .failed(let error): Terminal.complain("\(error); tried again soon")
        }
    }

    private static func tell(_ event: Refresh.Event) {
        switch event {
        case .mirrored(let day, let title, _, _): Terminal.print(Terminal.visible("\(day) \(title)"))
        case .failed(let day, let why, _): Terminal.complain("\(day) failed: \(why)")
        case .absent(let day): Terminal.complain("\(day): the upstream has no such day")
        case .notYet(let day): Terminal.complain("\(day) is not published yet")
        case .unanswered(_, _, let why), .noted(let why): Terminal.complain(why)
        case .planned, .adopted, .unchanged, .kept: break
        }
    }
}
