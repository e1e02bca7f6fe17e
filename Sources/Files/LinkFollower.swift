internal import Concurrency
import Glibc

/// What a link leads to.
package struct LinkEnd: Sendable {
    package let facts: File.Facts
    /// Where the system says that it is, in bytes; nil where it does not tell.
    package let path: [UInt8]?

    init(_ file: File) throws(StorageError) {
        facts = try file.facts()
        path = file.truePath
    }
}

/// Follows links wherever they lead. What does not answer, as a network folder whose server is away, is left alone until
/// it does.
package final class LinkFollower: Sendable {
    /// By the beginning of the targets that are followed.
    private let questions: TimedCalls<[UInt8]>
    private let root: Folder?

    /// Links are followed for so long, but those into `root` at once; `isBack`: what had not answered has.
    package init(
        root: Folder? = nil, limit: Duration = .seconds(2), isBack: @escaping @Sendable () -> Void = {}
    ) {
        self.root = root
        questions = TimedCalls(limit: limit, isBack: isBack)
    }

    /// `target`: what the link says.
    package func end(of path: some Naming, to target: [UInt8], in folder: Folder) throws(StorageError) -> LinkEnd {
        if let near = try folder.nearEnd(of: path) { return try LinkEnd(near) }
        if let near = try endBelowRoot(target) { return try LinkEnd(near) }
        let beginning = Self.beginning(of: target)
        let end = questions.answer(
            of: beginning, where: { target.starts(with: $0) }, isAnswer: \.isAnswer,
            whenSlow: { questions.askAhead(Self.others(than: beginning)) },
            to: { Result { () throws(StorageError) in try LinkEnd(try folder.end(of: path)) } })
        guard let end else { throw StorageError("follow", folder.path(of: path), code: ETIMEDOUT) }
        return try end.get()
    }

    /// An absolute path counts as one that leaves the disk (openat2(2), RESOLVE_NO_XDEV), though most lead into the root.
    private func endBelowRoot(_ target: [UInt8]) throws(StorageError) -> File? {
        guard let root, target.starts(with: "\(root.path)/".utf8),
            let inner = String(validating: target.dropFirst(root.path.utf8.count + 1), as: UTF8.self)
        else { return nil }
        return try root.nearEnd(of: inner)
    }

    /// Where the next links may lead: for all that does not answer, there is one wait.
    private static func others(than beginning: [UInt8]) -> [(whom: [UInt8], work: @Sendable () -> Bool)] {
        let others = FileSystem.mounts.filter {
            $0.isElsewhere && !$0.isOnDemand && !"\($0.path)/".utf8.elementsEqual(beginning)
        }
        // However many are silent, links to others are still followed.
        return others.suffix(mostAhead).map { mount in (Array("\(mount.path)/".utf8), { Folder.answers(mount) }) }
    }

    private static let mostAhead = 6

    /// The mount that a path is in, as far as its text tells, and otherwise its folder.
    private static func beginning(of target: [UInt8]) -> [UInt8] {
        let mounts = FileSystem.mounts.map { Array("\($0.path)/".utf8) }
        if let mount = mounts.filter({ $0.count > 1 && target.starts(with: $0) }).max(by: { $0.count < $1.count }) {
            return mount
        }
        return Array(target.prefix(through: target.lastIndex(of: UInt8(ascii: "/")) ?? target.endIndex - 1))
    }
}
