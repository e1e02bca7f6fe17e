import Glibc

/// A thread of its own for what blocks; to be joined once.
struct Thread: Sendable {
    private let handle: pthread_t

    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    init(_ run: @escaping @Sendable () -> Void) throws {
        let work = Unmanaged.passRetained(Work(run))
        var handle = pthread_t()
        let code = pthread_create(&handle, nil, Self.start, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw SystemError("pthread_create", code: code)
        }
        self.handle = handle
    }

    private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
        Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().run()
        return nil
    }

    func join() { pthread_join(handle, nil) }

    func detach() { pthread_detach(handle) }
}
