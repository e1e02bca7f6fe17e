import Apod
import Files
import Synchronization

/// One state of the published index of days (`IndexedDay`) or of another list's items, open for one request.
struct DayIndex: Sendable {
    private let root: Folder
    private let known: Years

    /// Below the root. There is none before the first day.
    static let folder = folder(of: nil)

    static func folder(of list: ListName?) -> String {
        "\(PublishedTree.own)/\(IndexedYear.folder(of: list))"
    }

    /// What is known of the index while nothing of it is open. Years are read when they are asked for.
    final class Years: Sendable {
        let list: ListName?
        /// Oldest first, with the size of each year's file.
        let years: [(year: Int, facts: File.Facts)]
        fileprivate let read: Mutex<[Int: Year]>

        private init(of list: ListName?, years: [(year: Int, facts: File.Facts)], read: [Int: Year]) {
            self.list = list
            self.years = years
            self.read = Mutex(read)
        }
    }

    struct Year: Sendable {
        let facts: File.Facts
        /// Oldest first.
        let days: [IndexedDay]
        let absent: Set<Day>
        /// By the path of NASA's address.
        let byAddress: [Substring: (day: IndexedDay, file: StoredFile)]

        init(_ index: IndexedYear, _ facts: File.Facts) {
            (days, absent, self.facts) = (index.days, index.absent, facts)
            let files = index.days.flatMap { day in day.files.map { ($0.address.path, (day: day, file: $0)) } }
            byAddress = Dictionary(files) { _, newer in newer }
        }

        subscript(day: Day) -> IndexedDay? { days.first { $0.day == day } }
    }

    private static let longest = 16 << 20

    init(root: Folder, _ known: Years) { (self.root, self.known) = (root, known) }

    var years: [(year: Int, facts: File.Facts)] { known.years }

    func year(_ number: Int) -> Year? {
        if let known = known.read.withLock({ $0[number] }) { return known }
        guard years.contains(where: { $0.year == number }), let (index, facts) = read(number) else { return nil }
        let year = Year(index, facts)
        known.read.withLock { $0[number] = year }
        return year
    }

    private func read(_ number: Int) -> (IndexedYear, File.Facts)? {
        guard let file = try? root.file("\(Self.folder(of: known.list))/\(IndexedYear.name(number))"),
            let facts = try? file.facts(),
            let index = (try? file.contents(atMost: Self.longest)).flatMap({ IndexedYear($0, of: known.list) })
        else { return nil }
        return (index, facts)
    }

    subscript(day: Day) -> IndexedDay? { year(day.year)?[day] }

    func isAbsent(_ day: Day) -> Bool { year(day.year)?.absent.contains(day) ?? false }

    /// Oldest first. `keeping`: whether the years that are read stay in memory; otherwise one is there at a time.
    func days(in range: ClosedRange<Day>, keeping: Bool = true) -> some Sequence<IndexedDay> {
        years.lazy.filter { range.lowerBound.year...range.upperBound.year ~= $0.year }.flatMap { year, _ in
            let days =
                keeping || known.read.withLock({ $0[year] != nil }) ? self.year(year)?.days : read(year)?.0.days
            return (days ?? []).filter { $0.day.map(range.contains) == true }
        }
    }

    /// The days from the newest on.
    var newestFirst: some Sequence<IndexedDay> {
        years.reversed().lazy.flatMap { (year($0.year)?.days ?? []).reversed() }
    }

    var newest: IndexedDay? { newest { $0 } }

    /// What is made of the newest day of which something can be made.
    func newest<Value>(_ make: (IndexedDay) -> Value?) -> Value? {
        for day in newestFirst { if let value = make(day) { return value } }
        return nil
    }

    /// The file at one of NASA's paths. Most paths name their year, so that few years are read.
    func file(at path: Substring) -> (day: IndexedDay, file: StoredFile)? {
        let named = path.split(separator: "/").compactMap { $0.utf8.count == 4 ? Int($0) : nil }
        let order = years.reversed().map(\.year)
        let first = order.filter { named.contains($0) || named.contains($0 - 1) || named.contains($0 + 1) }
        for number in first + order.filter({ !first.contains($0) }) {
            if let found = year(number)?.byAddress[path] { return found }
        }
        return nil
    }

    /// A day by chance: each about as often as any other, though only its year is read.
    func randomDay(_ random: inout some RandomNumberGenerator) -> IndexedDay? {
        var place = Int.random(in: 0..<max(1, years.reduce(0) { $0 + $1.facts.bytes }), using: &random)
        for (number, facts) in years {
            if place < facts.bytes { return year(number)?.days.randomElement(using: &random) }
            place -= facts.bytes
        }
        return nil
    }
}

extension DayIndex.Years {
    convenience init() { self.init(of: nil, years: [], read: [:]) }

    /// `former`: an older state, whose years are used where their files are the same.
    convenience init(in root: Folder, of list: ListName? = nil, former: DayIndex.Years) throws {
        var years: [(year: Int, facts: File.Facts)] = []
        let folder = try root.folder(DayIndex.folder(of: list))
        for name in try folder?.names() ?? [] {
            guard let parts = FileName.parts(of: name), let year = Int(parts.stem), IndexedYear.name(year) == name,
                let facts = try folder?.facts(of: name), facts.isRegular
            else { continue }
            years.append((year, facts))
        }
        let kept = former.read.withLock { $0 }
        let same = kept.filter { known in
            years.contains { $0.year == known.key && known.value.facts.isSame(as: $0.facts) }
        }
        self.init(
            of: list, years: years.sorted { $0.year < $1.year },
            read: same)
    }
}
