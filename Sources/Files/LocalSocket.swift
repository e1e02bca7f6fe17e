import Apod
import CLinux
import Glibc

/// A socket between programs of one machine: a connection, or one that listens in a folder (unix(7)).
package final class LocalSocket: Sendable {
    package let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    private static let backlog: Int32 = 64

    /// The file in the mirror's own folder that tells the web where it may ask.
    package static let webAddress = "web-address"

    /// Listens under a name in a folder, replacing any file there. The owner may connect and, if that is a system user,
    /// the group; or everyone.
    package static func listening(
        as name: String, in folder: Folder, forEveryone isForEveryone: Bool = false
    ) throws -> LocalSocket {
        let mode = isForEveryone ? 0o666 : Self.mode
        let socket = try make(isBlocking: false)
        let temporary = "\(name).new"
        try folder.remove(temporary)
        // bind(2) gives the file this mode less the umask, so that it is never open to more users.
        fchmod(socket.descriptor, mode)
        let code = withAddress(of: temporary, in: folder) { bind(socket.descriptor, $0, $1) }
        guard code == 0 else { throw Problem("make the socket", folder.path(of: temporary)) }
        do {
            try folder.setMode(of: temporary, mode)
            guard listen(socket.descriptor, backlog) == 0 else {
                throw Problem("listen at", folder.path(of: temporary))
            }
            try folder.rename(temporary, to: folder, as: name)
        } catch {
            try? folder.remove(temporary)
            throw error
        }
        return socket
    }

    private static var mode: mode_t { geteuid() < 1000 ? 0o660 : 0o600 }

    /// Connects. Reading and writing fail with EAGAIN after `timeout` without progress.
    package static func connected(to name: String, in folder: Folder, timeout: Duration) throws -> LocalSocket {
        let socket = try make(isBlocking: true)
        socket.setTimeout(timeout)
        guard withAddress(of: name, in: folder, { connect(socket.descriptor, $0, $1) }) == 0 else {
            throw Problem("connect to", folder.path(of: name))
        }
        return socket
    }

    /// The same, by the socket's absolute path.
    package static func connected(at path: String, timeout: Duration) throws -> LocalSocket {
        let (folder, name) = FileSystem.parts(of: path) ?? (".", path)
        return try connected(to: name, in: Folder.open(folder), timeout: timeout)
    }

    /// For each read and write; zero: none (socket(7), SO_RCVTIMEO).
    package func setTimeout(_ timeout: Duration) {
        let microseconds = Int(timeout / .microseconds(1))
        var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        for direction in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, direction, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private static func make(isBlocking: Bool) throws -> LocalSocket {
        let options = SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | options), 0)
        guard descriptor >= 0 else { throw Problem("make", "a socket") }
        return LocalSocket(descriptor)
    }

    /// An address has room for 107 bytes. A longer path is reached through the folder's descriptor.
    private static func withAddress(
        of name: String, in folder: Folder, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        let whole = folder.path(of: name)
        let path = whole.utf8.count <= room ? whole : "/proc/self/fd/\(folder.descriptor)/\(name)"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(room)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// The user who has connected.
    package var user: UInt32 { user_at_socket(descriptor) }

    /// nil if no client waits.
    package func accept() throws -> LocalSocket? {
        while true {
            let one = accept_connection(descriptor)
            if one >= 0 { return LocalSocket(one) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return nil
            default: throw Problem("accept from", "a socket")
            }
        }
    }

    /// Returns what there is to read: empty at the end, nil if nothing has come yet.
    package func receive(atMost limit: Int = 64 << 10) throws -> [UInt8]? {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            var count = -1
            repeat { count = recv(descriptor, buffer.baseAddress!, limit, 0) } while count < 0 && errno == EINTR
            code = count < 0 ? errno : 0
            filled = max(count, 0)
        }
        if code == EAGAIN { return nil }
        guard code == 0 else { throw Problem("read from", "a socket", code: code) }
        return bytes
    }

    /// Returns how many bytes were sent.
    package func send(_ bytes: ArraySlice<UInt8>) throws -> Int {
        var count = -1
        bytes.withUnsafeBytes { bytes in
            repeat {
                count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            } while count < 0 && errno == EINTR
        }
        if count >= 0 { return count }
        if errno == EAGAIN { return 0 }
        throw Problem("write to", "a socket")
    }

    /// Shuts the connection down: calls that read or write return on both sides.
    package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
