import Glibc
import Synchronization

/// What a link leads to.
package struct End: Sendable {
    package let facts: File.Facts
    /// Where the system says that it is, in bytes; nil where it does not tell.
    package let path: [UInt8]?

    init(_ file: File) throws(DiskError) {
        facts = try file.facts()
        path = file.truePath
    }
}

/// Follows links wherever they lead. What does not answer, as a network folder whose server is away, is left alone until
/// it does.
package final class Follower: Sendable {
    /// Threads that wait for an answer, by the beginning of the targets that they follow.
    private let silent = Mutex<[Int: [UInt8]]>([:])
    private let root: Folder?
    private let limit: Duration
    private let isBack: @Sendable () -> Void
    private let number = Atomic(0)
    private static let mostSilent = 8

    /// Links are followed for so long, but those into `root` at once; `isBack`: what had not answered has.
    package init(
        root: Folder? = nil, limit: Duration = .seconds(2), isBack: @escaping @Sendable () -> Void = {}
    ) {
        self.root = root
        self.limit = limit
        self.isBack = isBack
    }

    /// `target`: what the link says.
    package func end(of path: some Naming & Sendable, to target: [UInt8], in folder: Folder) throws(DiskError) -> End {
        if let near = try folder.nearEnd(of: path) { return try End(near) }
        if let near = try endBelowRoot(target) { return try End(near) }
        let isSilent = silent.withLock { silent in
            silent.count >= Self.mostSilent || silent.values.contains { target.starts(with: $0) }
        }
        if isSilent { throw DiskError("follow", folder.path(of: path), code: ETIMEDOUT) }
        let answer = Answer()
        let number = number.add(1, ordering: .relaxed).newValue
        startThread { [self] in
            answer.give(Result { () throws(DiskError) in try End(try folder.end(of: path)) })
            if silent.withLock({ $0.removeValue(forKey: number) }) != nil { isBack() }
        }
        answer.wait(limit)
        // Either it is known to be silent, or it has answered.
        let result = silent.withLock { silent in
            if answer.result == nil { silent[number] = Self.beginning(of: target) }
            return answer.result
        }
        guard let result else { throw DiskError("follow", folder.path(of: path), code: ETIMEDOUT) }
        return try result.get()
    }

    /// An absolute path counts as one that leaves the disk (openat2(2), RESOLVE_NO_XDEV), though most lead into the root.
    private func endBelowRoot(_ target: [UInt8]) throws(DiskError) -> File? {
        guard let root, target.starts(with: "\(root.path)/".utf8),
            let inner = String(validating: target.dropFirst(root.path.utf8.count + 1), as: UTF8.self)
        else { return nil }
        return try root.nearEnd(of: inner)
    }

    /// The mount that a path is in, as far as its text tells, and otherwise its folder.
    private static func beginning(of target: [UInt8]) -> [UInt8] {
        let mounts = FileSystem.mounts.map { Array("\($0)/".utf8) }
        if let mount = mounts.filter({ $0.count > 1 && target.starts(with: $0) }).max(by: { $0.count < $1.count }) {
            return mount
        }
        return Array(target.prefix(through: target.lastIndex(of: UInt8(ascii: "/")) ?? target.endIndex - 1))
    }
}

private final class Answer: Sendable {
    private let value = Mutex<Result<End, DiskError>?>(nil)
    private let alarm = Alarm()

    var result: Result<End, DiskError>? { value.withLock(\.self) }

    func give(_ result: Result<End, DiskError>) {
        value.withLock { $0 = result }
        alarm.wake()
    }

    func wait(_ limit: Duration) {
        var source = pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&source, 1, Int32(clamping: Int64(limit / .milliseconds(1))))
    }
}
