internal import CLinux
import Glibc

/// Bytes that go over a socket together with an open file (unix(7), SCM_RIGHTS).
package enum DescriptorPassing {
    package static func send(_ bytes: [UInt8], with descriptor: Int32, to socket: Int32) -> Bool {
        bytes.withUnsafeBytes { send_with_descriptor(socket, $0.baseAddress, $0.count, descriptor) } == bytes.count
    }

    /// Returns how many bytes came; `descriptor` is −1 if none came along.
    package static func receive(from socket: Int32, into bytes: inout [UInt8], _ descriptor: inout Int32) -> Int {
        bytes.withUnsafeMutableBytes { receive_with_descriptor(socket, $0.baseAddress, $0.count, &descriptor) }
    }
}
