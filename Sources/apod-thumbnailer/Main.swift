import CSandbox
import Decoding
import Glibc

/// The program `apod-thumbnailer`: locks itself in (`Sandbox`), then decodes one picture after the other (`Decoder`).
/// Standard input is the service's socket; each request brings the open picture along. It ends with the socket.
@main
struct Main {
    private static let socket = STDIN_FILENO

    static func main() {
        Sandbox.limit()
        guard Decoder.start() else { exit(1) }
        guard Sandbox.lock() else { exit(1) }
        guard end_with_socket(socket) == 0 else { exit(1) }
        send([DecodingAnswer.greeting])
        while let (request, descriptor) = receive() {
            send(Decoder(descriptor).answer(to: request).bytes)
            close(descriptor)
        }
    }

    /// nil when the socket is closed, or the request is not valid.
    private static func receive() -> (DecodingRequest, descriptor: Int32)? {
        var bytes = [UInt8](repeating: 0, count: DecodingRequest.mostBytes)
        var descriptor: Int32 = -1
        let count = DescriptorPassing.receive(from: socket, into: &bytes, &descriptor)
        guard count > 0, descriptor >= 0, let request = DecodingRequest(Array(bytes.prefix(count))) else { return nil }
        return (request, descriptor)
    }

    private static func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(socket, $0.baseAddress!, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}
