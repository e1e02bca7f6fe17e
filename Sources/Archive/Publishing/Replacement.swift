package import Apod
internal import Catalog
internal import Files

/// What was replaced, a file or texts alone, as it is reported to people.
package struct Replacement: Sendable {
    package let day: Day
    /// Seconds since 1970.
    package let moment: Int
    /// nil: texts alone were replaced.
    package let former: StoredFile?
    /// The file in its place; nil if there is none.
    package let present: StoredFile?

    package var isMuchSmaller: Bool {
        if let present, let former { present.isMuchSmaller(than: former) } else { false }
    }

    /// The last replacement of every day, of files where there were any, or all of a day or an item, newest first; none
    /// if `.apod-mirror` cannot be read.
    package static func all(root: String, of subject: Subject? = nil, mostDays: Int = .max) -> [Replacement] {
        let list = subject?.list
        guard let mirror = try? Folder.open(root),
            let folder = (try? Tree.existingFolder(Tree.path(of: list), in: mirror)) ?? nil,
            let own = (try? Tree.existingFolder(Tree.path(of: list, below: Tree.ownFolder), in: mirror)) ?? nil
        else { return [] }
        let replaced = ReplacedFiles(in: own, ofItems: list != nil)
        let versions = (try? replaced.versions { subject == nil || $0 == subject?.day }) ?? [:]
        // The newest first; where one of each day is told, files before texts.
        let wanted = versions.values.map { versions in
            let corrections = versions.filter(\.isCorrection).reversed()
            if subject != nil { return Array(corrections) }
            return corrections.filter(\.hasWholeFile) + corrections.filter { !$0.hasWholeFile }
        }.filter { !$0.isEmpty }.sorted { ($0[0].moment, $0[0].name.day) > ($1[0].moment, $1[0].name.day) }
        var told: [[Replacement]] = []
        for versions in wanted where told.count < mostDays {
            var ofDay: [Replacement] = []
            for version in versions {
                guard let (former, present) = documents(version, replaced, in: folder) else { continue }
                ofDay += of(version, former, present)
                if subject == nil { break }
            }
            // A day that was reverted has none to tell of.
            if !ofDay.isEmpty { told.append(ofDay) }
        }
        return told.flatMap(\.self)
    }

    /// A version, and the day as it is now; nil where both say the same, or the version cannot be read.
    private static func documents(
        _ version: ReplacedFiles.Version, _ replaced: ReplacedFiles, in root: Folder
    ) -> (former: DayDocument, present: DayDocument?)? {
        guard let former = (try? replaced.former(version)) ?? nil else { return nil }
        let present = (try? DayDocument.of(version.name, in: root)) ?? nil
        return replaced.isSame(version, former, as: present) ? nil : (former, present)
    }

    private static func of(
        _ version: ReplacedFiles.Version, _ document: DayDocument, _ day: DayDocument?
    ) -> [Replacement] {
        if !version.hasWholeFile {
            return day?.setAside.contains(Digest(of: document.bytes)) == true
                ? [] : [Replacement(day: version.name.day, moment: version.moment, former: nil, present: nil)]
        }
        let (present, setAside) = (day?.files ?? [], day?.setAside ?? [])
        return document.files.filter { file in
            version.files[file.ending]?.isDamaged == false && file.role != .page && !setAside.contains(file.sha256)
        }.map { file in
            Replacement(
                day: version.name.day, moment: version.moment, former: file,
                present: present.first { $0.role == file.role } ?? present.main)
        }
    }
}
