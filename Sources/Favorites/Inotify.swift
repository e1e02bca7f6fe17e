import Apod
import CInotifyTools
import CLinux
import Files
import Glibc
import Synchronization

/// libinotifytools. Its state is static: one per process, used by the thread that opened it.
struct Inotify: ~Copyable {
    private static let isOpen = Atomic(false)
    /// The highest descriptor that fits into the library's `fd_set` (select(2)).
    private static let highestDescriptor: Int32 = 1023

    /// Readable when there are events. Only the library may read it.
    let descriptor: Int32
    /// Takes the place of `descriptor` at the end: it is never readable. Made early, while a descriptor is free.
    private let placeholder: Int32

    init() throws {
        guard !Self.isOpen.exchange(true, ordering: .acquiring) else {
            throw Problem("watch", "folders", code: EAGAIN)
        }
        do {
            let opened = try Self.initialize()
            let placeholder = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard placeholder >= 0 else { throw Problem("begin to watch", "folders") }
            (descriptor, self.placeholder) = (opened, placeholder)
        } catch {
            Self.release()
            throw error
        }
    }

    deinit {
        // The library's buffer is static: the next `Inotify` would get what is left in it. The placeholder stops new
        // events, of which there may be no end.
        dup2(placeholder, descriptor)
        close(placeholder)
        while next() != nil {}
        Self.release()
    }

    private static func release() {
        inotifytools_cleanup()
        isOpen.store(false, ordering: .releasing)
    }

    private static func initialize() throws -> Int32 {
        let before = try openDescriptors()
        guard inotifytools_initialize() != 0 else {
            let code = inotifytools_error()
            throw code == EMFILE
                ? Problem(.limit, path: "fs.inotify.max_user_instances")
                : Problem("begin to watch", "folders", code: code)
        }
        // The library does not tell which descriptor it opened.
        let new = try openDescriptors().subtracting(before)
        guard let descriptor = new.first, new.count == 1 else {
            throw Problem("watch", "folders", code: EAGAIN)
        }
        guard descriptor <= highestDescriptor else { throw Problem("begin to watch", "folders", code: EMFILE) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    /// The inotify descriptors of this process.
    private static func openDescriptors() throws -> Set<Int32> {
        let table = try Folder.open("/proc/self/fd")
        var found: Set<Int32> = []
        try table.visit { name, _ in
            guard table.target(of: name) == "anon_inode:inotify" else { return }
            if let descriptor = name.text.flatMap({ Int32($0) }) { found.insert(descriptor) }
        }
        return found
    }

    /// Watches what is at a path. Returns the number that its events will carry.
    func watch(_ path: [UInt8], for mask: Mask) throws -> Int32 {
        let (number, code) = path.withTerminated { path in
            let succeeded = inotifytools_watch_file(path, Int32(bitPattern: mask.rawValue)) != 0
            return (succeeded ? Self.number(of: path) : -1, inotifytools_error())
        }
        if number >= 0 { return number }
        throw code == ENOSPC
            ? Problem(.limit, path: "fs.inotify.max_user_watches")
            : Problem("watch", String(decoding: path, as: UTF8.self), code: code)
    }

    private static func number(of path: UnsafePointer<CChar>) -> Int32 {
        // The library adds a slash to the path of a folder, if the folder is still there.
        var withSlash = Array(UnsafeBufferPointer(start: path, count: strlen(path)))
        withSlash += [CChar(UInt8(ascii: "/")), 0]
        let number = inotifytools_wd_from_filename(withSlash)
        return number >= 0 ? number : inotifytools_wd_from_filename(path)
    }

    /// The next event; nil if there is none at the moment.
    func next() -> Notice? {
        // Asked for more than one, the library would spin until there are as many.
        guard let event = inotifytools_next_events(0, 1) else { return nil }
        // The name stands behind the event, filled up with zeros (inotify(7)).
        let text = UnsafeRawPointer(event + 1).assumingMemoryBound(to: CChar.self)
        let name = event.pointee.len == 0 ? nil : Name(reading: text)
        return Notice(watch: event.pointee.wd, mask: Mask(rawValue: event.pointee.mask), name: name)
    }
}

@available(*, unavailable)
extension Inotify: Sendable {}

extension Inotify {
    struct Notice: Equatable {
        /// The number of the watch; −1 when events were lost.
        let watch: Int32
        let mask: Mask
        /// The name in the watched folder; nil if the event is about the folder itself.
        let name: Name?
    }

    /// The bits of inotify(7).
    struct Mask: OptionSet, Hashable {
        let rawValue: UInt32

        /// Changes to the names in a folder, and to its own name.
        static let names = Mask(
            rawValue: UInt32(
                IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF))
        static let written = Mask(rawValue: UInt32(IN_CLOSE_WRITE))
        static let foldersOnly = Mask(rawValue: UInt32(IN_ONLYDIR))
        static let noLinks = Mask(rawValue: UInt32(IN_DONT_FOLLOW))
        static let folder = Mask(rawValue: UInt32(IN_ISDIR))
    }
}
