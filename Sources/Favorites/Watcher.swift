package import Archive
import Glibc
import Synchronization

/// Rings the bell when something may have changed in the favorites folder, however that comes, goes or moves.
package final class Watcher: Sendable {
    private let lookout: Lookout
    private let thread: Mutex<pthread_t?>

    /// Returns when the folder is watched, or cannot be; the bell has been rung then, for everywhere. There can be one
    /// at a time in a process. `known`: the albums to be watched before others, should there be too many.
    package init(
        root: String, bell: Bell, pollInterval: Duration = .seconds(5), room: WatchRoom = WatchRoom(),
        pause: @escaping Pause = { _ in }, known: @escaping @Sendable () -> Set<Album> = { [] }
    ) {
        lookout = Lookout(
            root: root, bell: bell, pollInterval: pollInterval, room: room, known: known, pause: pause)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil, { Unmanaged<Lookout>.fromOpaque($0!).takeRetainedValue().run() },
            Unmanaged.passRetained(lookout).toOpaque())
        precondition(code == 0, "cannot start a thread: \(String(cString: strerror(code)))")
        self.thread = Mutex(thread)
        lookout.waitUntilArmed()
    }

    deinit { stop() }

    /// How changes become known now. The bell is rung when this changes.
    package var watching: Watching { lookout.watching }

    /// How many folders there was no room for: of them and what is in them, nobody tells.
    package var unwatched: Int { lookout.unwatched }

    /// Returns when the thread that watches has answered.
    package func answer() async { await lookout.answer() }

    /// Returns when nothing is watched any more.
    package func stop() {
        lookout.stop()
        thread.withLock { thread in
            if let running = thread { pthread_join(running, nil) }
            thread = nil
        }
    }
}
