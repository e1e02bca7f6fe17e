package import Apod

/// The part `mirror` of an item's JSON, but for its files: what the mirror knows of an item, and no upstream does.
///
/// A new JSON is made with that of the one before, so that what nobody changes stays, also members that another version of
/// this program wrote. The catalog has the same in the column `mirror`, but for what has a column of its own.
package struct MirrorPart: Sendable, Equatable {
    /// When the record was fetched; seconds since 1970.
    package var fetched: Int
    /// The file is a worse copy than the best that the record names.
    package var isDowngraded = false
    /// `keep` or `max-total` deleted its files.
    package var isPruned = false
    /// The file that is still missing, and why.
    package var incomplete: Incomplete?
    /// The files and records that a person does not want (`revert`). Only `sync DATE` takes them again.
    package var setAside: Set<Digest> = []
    /// Its number among the versions, where `revert` brought it back; nil: it is newer than all of them.
    package var number: Int?
    /// When an item of another list was first seen; seconds since 1970.
    package var came: Int?
    /// Where it stands in its list (`ItemEntry`).
    package var place: Int?
    /// Only of a former version.
    var version: VersionMark?
    private var others: [Other] = []

    private struct Other: Sendable, Equatable {
        let name: String
        let value: JSONText
    }

    package init(fetched: Int) { self.fetched = fetched }

    /// A member of the JSON, and the property that it is.
    private struct Member: Sendable {
        let name: String
        /// Whether it belongs to the item, whichever state that is in; else a version takes it along.
        let isOfItem: Bool
        let hasColumn: Bool
        let json: @Sendable (MirrorPart) -> JSON?
        let read: @Sendable (inout MirrorPart, JSONText) -> Void
        let take: @Sendable (inout MirrorPart, MirrorPart) -> Void

        init<Value>(
            _ name: String, _ path: any WritableKeyPath<MirrorPart, Value> & Sendable, isOfItem: Bool = false,
            hasColumn: Bool = false, _ json: @escaping @Sendable (Value) -> JSON?,
            _ read: @escaping @Sendable (JSONText) -> Value?
        ) {
            (self.name, self.isOfItem, self.hasColumn) = (name, isOfItem, hasColumn)
            self.json = { json($0[keyPath: path]) }
            self.read = { part, text in if let value = read(text) { part[keyPath: path] = value } }
            take = { part, other in part[keyPath: path] = other[keyPath: path] }
        }
    }

    private static let members = [
        Member("fetched", \.fetched, hasColumn: true, { .moment($0) }, { $0.moment }),
        Member("downgraded", \.isDowngraded, { .bool($0) }, { $0.bool }),
        Member("pruned", \.isPruned, { $0 ? .bool(true) : nil }, { $0.bool }),
        Member("incomplete", \.incomplete, { $0?.json }, { Incomplete($0) }),
        Member(
            "set_aside", \.setAside, isOfItem: true,
            { $0.isEmpty ? nil : .strings($0.map(\.description).sorted()) },
            { Set($0.elements?.compactMap(\.digest) ?? []) }),
        Member("number", \.number, { $0.map(JSON.integer) }, { $0.integer }),
        Member("came", \.came, isOfItem: true, hasColumn: true, { $0.map(JSON.moment) }, { $0.moment }),
        Member(
            "place", \.place, isOfItem: true, hasColumn: true, { $0.map(JSON.integer) },
            { $0.integer.flatMap { 0...largestPlace ~= $0 ? $0 : nil } }),
        Member("version", \.version, { $0?.json }, { VersionMark($0) }),
    ]

    /// So large that it is beyond all times, and others can still come above it.
    private static let largestPlace = 1 << 60

    private static let byName = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0) })

    /// nil unless it says when the record was fetched. `besides`: the members that are not of this part.
    init?(_ members: [(name: String, value: JSONText)], besides: String) {
        guard let fetched = members.last(where: { $0.name == "fetched" })?.value.moment else { return nil }
        self.fetched = fetched
        for (name, value) in members where name != besides { read(name, value) }
    }

    private mutating func read(_ name: String, _ value: JSONText) {
        if let member = Self.byName[name] {
            member.read(&self, value)
        } else {
            others.append(Other(name: name, value: value))
        }
    }

    /// In their order.
    var json: [(String, JSON?)] {
        Self.members.map { ($0.name, $0.json(self)) } + others.map { ($0.name, .text($0.value)) }
    }

    /// As the catalog has it: nil where there is nothing that has no column of its own.
    var column: String? {
        let told = Self.members.filter { !$0.hasColumn }.compactMap { member -> (String, JSON)? in
            switch member.json(self) {
            case nil, .bool(false): nil
            case let value?: (member.name, value)
            }
        }
        let all = told + others.map { ($0.name, .text($0.value)) }
        return all.isEmpty ? nil : JSON.object(all).line
    }

    /// Reads that back.
    mutating func read(column: String) {
        for (name, value) in (try? JSONText(column.bytes))?.orderedMembers ?? [] { read(name, value) }
    }

    /// That of a former state which takes the place of another: what belongs to the item stays.
    func back(over present: MirrorPart) -> MirrorPart {
        var part = self
        for member in Self.members where member.isOfItem { member.take(&part, present) }
        (part.version, part.incomplete, part.isPruned) = (nil, nil, false)
        return part
    }
}

/// A file that the day's record names could not be fetched.
package struct Incomplete: Sendable, Equatable {
    package let failure: Problem
    /// `Picture.content` of a newer record than the one in the JSON, if its files are still to come.
    package let awaited: Digest?

    package init(_ failure: Problem, awaited: Digest? = nil) { (self.failure, self.awaited) = (failure, awaited) }

    init?(_ text: JSONText?) {
        guard let failure = text.flatMap(Problem.init) else { return nil }
        self.init(failure, awaited: text?["record"]?.digest)
    }

    var json: JSON { .sparse(failure.members + [("record", awaited.map { .string("\($0)") })]) }
}

/// What the JSON of a version says of it, in `mirror.version`.
struct VersionMark: Sendable, Equatable {
    /// When another took its place; seconds since 1970.
    let replaced: Int
    /// The names of the files that went with it. The others stayed in the tree.
    let holds: Set<String>
    /// By a person (`revert`), not by the upstream.
    var isReverted = false
    /// `keep` or `max-total` deleted its files.
    var isDeleted = false

    var json: JSON {
        .sparse([
            ("replaced", .moment(replaced)), ("holds", .strings(holds.sorted())),
            ("reverted", isReverted ? .bool(true) : nil), ("deleted", isDeleted ? .bool(true) : nil),
        ])
    }
}

extension VersionMark {
    init?(_ text: JSONText?) {
        guard let text, let replaced = text["replaced"]?.moment, let holds = text["holds"]?.elements else {
            return nil
        }
        self.init(
            replaced: replaced, holds: Set(holds.compactMap(\.string)), isReverted: text["reverted"]?.bool ?? false,
            isDeleted: text["deleted"]?.bool ?? false)
    }
}
