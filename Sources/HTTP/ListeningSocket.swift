import Glibc

/// The socket that a server listens on: systemd's, or one of its own.
package enum ListeningSocket {
    package enum Failure: Error {
        case notAnAddress(String)
        case refused(String, code: Int32)
    }

    /// systemd's socket (sd_listen_fds(3)); nil if there is none for this process.
    package static var inherited: Int32? {
        func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
        guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), count > 0 else { return nil }
        let first: Int32 = 3
        _ = fcntl(first, F_SETFD, FD_CLOEXEC)
        return first
    }

    /// Listens at `127.0.0.1:8095`, `[::1]:8095`, or a name and a port.
    package static func open(_ address: String) throws(Failure) -> Int32 {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[colon...].dropFirst()) else {
            throw .notAnAddress(address)
        }
        var host = address[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(String(host), "\(port)", &hints, &found) == 0, let first = found else {
            throw .notAnAddress(address)
        }
        defer { freeaddrinfo(first) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(first.pointee.ai_family, type, 0)
        guard descriptor >= 0 else { throw .refused(address, code: errno) }
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0
        else {
            let code = errno
            close(descriptor)
            throw .refused(address, code: code)
        }
        return descriptor
    }
}
