internal import Concurrency
internal import Files
import Glibc
import Synchronization

/// Answers for a mounted folder of links, by the protocol of linux/fuse.h.
final class LinkServer: Sendable {
    private let device: Int32
    private let alarm = EventFD()
    private let thread = Mutex<Thread?>(nil)
    private let number = Atomic(0)
    /// How many answers were that it fails.
    let failures = Awaited(0)

    init(_ device: Int32) { self.device = device }

    func start(
        _ links: [(name: String, target: String)], tellsKinds: Bool, _ failure: Int32, onlyLater: Bool
    ) throws {
        stop()
        alarm.reset()
        let folder = LinkFolder(
            links: links, tellsKinds: tellsKinds, failure: failure, failsOnlyLater: onlyLater,
            number: number.add(1, ordering: .relaxed).newValue)
        let new = try Thread { [device, alarm, failures] in
            var request = [UInt8](repeating: 0, count: 256 << 10)
            while Self.isAsked(device, unless: alarm) {
                let count = read(device, &request, request.count)
                // ENOENT, EINTR: who asked has given up.
                if count < 0 { if [EAGAIN, EINTR, ENOENT].contains(errno) { continue } else { return } }
                guard let reply = folder.reply(to: Array(request[..<count])) else { continue }
                _ = write(device, reply, reply.count)
                if failure != 0 { failures.update { $0 += 1 } }
            }
        }
        thread.withLock { $0 = new }
    }

    func stop() {
        alarm.wake()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private static func isAsked(_ device: Int32, unless alarm: EventFD) -> Bool {
        var sources = [
            pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: device, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&sources, 2, -1) < 0 {}
        return sources[0].revents == 0
    }
}

/// The root is number 1, the links follow. One that leads nowhere is an empty folder.
private struct LinkFolder {
    let links: [(name: String, target: String)]
    /// Otherwise, whoever lists the folder has to ask what each thing is.
    let tellsKinds: Bool
    /// What is answered in place of all else; 0: nothing.
    let failure: Int32
    /// Only what is behind the links is not told.
    let failsOnlyLater: Bool
    /// Of its kind: a folder that has changed shows another time.
    let number: Int

    private static let longTime = 1 << 20

    /// nil for what is only told.
    func reply(to request: [UInt8]) -> [UInt8]? {
        let body = Array(request[40...])
        let node = request.little(at: 16, 8)
        var answer = Answer()
        switch request.little(at: 4, 4) {
        case 2, 36, 42: return nil
        case 26:
            answer.add(7 | 31 << 32)
            answer.addZeros(56)
        case _ where failure != 0 && !failsOnlyLater: answer.error = failure
        case 1: lookUp(body, &answer)
        case 3:
            answer.add(Self.longTime, 0)
            addAttributes(of: node, to: &answer)
        case 5: answer.bytes = Array(links[node - 2].target.utf8)
        // What is taken away is said to be gone.
        case 10, 29: break
        case 6, 8, 9, 12, 13, 45: answer.error = EROFS
        case 17: answer.addZeros(80)
        case 28 where node == 1:
            let start = body.little(at: 8, 8)
            if failure != 0, start >= links.count { answer.error = failure } else { list(from: start, &answer) }
        case 28: break
        // The folder is not opened, and what is known of it is known for long: as NFS does.
        default: answer.error = ENOSYS
        }
        return answer.reply(to: request)
    }

    private func lookUp(_ body: [UInt8], _ answer: inout Answer) {
        let name = String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
        guard let index = links.firstIndex(where: { $0.name == name }) else {
            answer.error = ENOENT
            return
        }
        answer.add(index + 2)
        answer.addZeros(32)
        addAttributes(of: index + 2, to: &answer)
    }

    private func addAttributes(of node: Int, to answer: inout Answer) {
        let target = node == 1 ? "" : links[node - 2].target
        let mode = target.isEmpty ? S_IFDIR | 0o755 : S_IFLNK | 0o777
        answer.add(node, target.utf8.count, 0, 0, number, 0)
        answer.addZeros(12)
        answer.add(Int(mode) | 1 << 32)
        answer.addZeros(20)
    }

    private func list(from start: Int, _ answer: inout Answer) {
        for (index, link) in links.enumerated().dropFirst(start) {
            let kind = Int(!tellsKinds ? DT_UNKNOWN : link.target.isEmpty ? DT_DIR : DT_LNK)
            answer.add(index + 2, index + 1, link.name.utf8.count | kind << 32)
            answer.bytes += link.name.utf8
            answer.addZeros((8 - link.name.utf8.count % 8) % 8)
        }
    }
}

private struct Answer {
    var bytes: [UInt8] = []
    var error: Int32 = 0

    mutating func add(_ numbers: Int...) {
        for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    }

    mutating func addZeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// With the head that names what it answers.
    func reply(to request: [UInt8]) -> [UInt8] {
        var head = Answer()
        let length = 16 + (error == 0 ? bytes.count : 0)
        head.add(length | Int(-error) << 32)
        return head.bytes + request[8..<16] + (error == 0 ? bytes : [])
    }
}

extension [UInt8] {
    fileprivate func little(at index: Int, _ count: Int) -> Int {
        self[index..<(index + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
