internal import Catalog
internal import Concurrency
import Glibc
import Synchronization

/// Watches the favorites folder, also while it comes, goes or moves, and queues where something may have changed.
///
/// `WatchThread` arms a `WatchSet`: the albums that `AlbumWalk` finds, watched by `Inotify`. It puts each `FolderEvent`
/// into the `ChangeQueue`, and polls where inotify does not work (`WatchState`).
package final class Watcher: Sendable {
    private let watchThread: WatchThread
    private let thread: Mutex<pthread_t?>

    /// Returns when the folder is watched, or cannot be; `everywhere` is in the queue then. A second watcher in a
    /// process polls.
    package init(
        root: String, changeQueue: ChangeQueue, pollInterval: Duration = .seconds(5),
        raceHook: @escaping RaceHook = { _ in }
    ) {
        let watchThread = WatchThread(
            root: root, changeQueue: changeQueue, pollInterval: pollInterval, raceHook: raceHook)
        self.watchThread = watchThread
        thread = Mutex(startThreadToJoin { watchThread.run() })
        watchThread.waitUntilArmed()
    }

    deinit { stop() }

    /// How changes become known. When this changes, `everywhere` is queued.
    package var watching: WatchState { watchThread.watching }

    /// Returns when the thread that watches has answered.
    package func answer() async { await watchThread.answer() }

    /// Stops watching; returns when the thread has ended.
    package func stop() {
        watchThread.stop()
        thread.withLock { thread in
            if let running = thread { pthread_join(running, nil) }
            thread = nil
        }
    }
}
