package import Catalog
internal import Concurrency
import Glibc
import Synchronization

/// Fills the queue when something may have changed in the favorites folder, however that comes, goes or moves.
package final class Watcher: Sendable {
    private let watchThread: WatchThread
    private let thread: Mutex<pthread_t?>

    /// Returns when the folder is watched, or cannot be; `everywhere` is in the queue then. There can be one
    /// at a time in a process. `known`: the albums to be watched before others, should there be too many.
    package init(
        root: String, changeQueue: ChangeQueue, pollInterval: Duration = .seconds(5), room: WatchRoom = WatchRoom(),
        raceHook: @escaping RaceHook = { _ in }, known: @escaping @Sendable () -> Set<Album> = { [] }
    ) {
        let watchThread = WatchThread(
            root: root, changeQueue: changeQueue, pollInterval: pollInterval, room: room, known: known,
            raceHook: raceHook)
        self.watchThread = watchThread
        thread = Mutex(startThreadToJoin { watchThread.run() })
        watchThread.waitUntilArmed()
    }

    deinit { stop() }

    /// How changes become known now. `everywhere` is put into the queue when this changes.
    package var watching: WatchState { watchThread.watching }

    /// How many folders there was no room for: of them and what is in them, nobody tells.
    package var unwatched: Int { watchThread.unwatched }

    /// Returns when the thread that watches has answered.
    package func answer() async { await watchThread.answer() }

    /// Returns when nothing is watched any more.
    package func stop() {
        watchThread.stop()
        thread.withLock { thread in
            if let running = thread { pthread_join(running, nil) }
            thread = nil
        }
    }
}
