package import Apod
package import Files
import Synchronization

/// The rules by which pictures of APOD and of each list were last deleted: `.apod-mirror/rules`. A plan by another rule may be
/// a mistake, and waits for a person.
///
/// They are not in the catalog, which is made again from the files.
package struct AppliedRules {
    private static let name = "rules"
    private var rules: [String: String]

    /// None where they cannot be read.
    package init(in root: Folder) { self.init(own: (try? root.folder(Tree.ownFolder)) ?? nil) }

    private init(own: Folder?) {
        let bytes = try? own?.file(Self.name)?.contents(atMost: 1 << 20)
        rules = bytes.flatMap { try? JSONText($0) }?.decoded() ?? [:]
    }

    package subscript(list: ListName?) -> String? { rules[list?.description ?? Versions.apod] }

    fileprivate static func note(_ rule: String, of list: ListName?, in tree: Tree) throws {
        var applied = AppliedRules(own: tree.own)
        if applied[list] == rule { return }
        applied.rules[list?.description ?? Versions.apod] = rule
        try Staged(JSON(applied.rules).document, in: tree.unfinished, as: name).publishDurably(in: tree.own, as: name)
    }
}

extension Archive {
    /// Notes a rule by which pictures were deleted, or which a mirror or a list begins with. On a full disk, the next round
    /// tries again.
    package func noteRule(_ rule: String, of list: ListName?) {
        filesLock.withLock { _ in try? AppliedRules.note(rule, of: list, in: tree) }
    }
}
