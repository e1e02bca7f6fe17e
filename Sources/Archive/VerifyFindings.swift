package import Apod
package import Catalog
package import Files

/// The files that `verify` found damaged or missing, kept in the catalog for `status` until they are mended.
package struct VerifyFindings: Sendable, Equatable {
    package struct Finding: Sendable, Equatable {
        /// The path below the root.
        let path: String
        /// `File.Facts.version` of a damaged file; nil for a missing one.
        let version: String?

        package init(path: String, version: String?) {
            self.path = path
            self.version = version
        }

        /// A damaged file, with its present version.
        package init(damaged path: String, in root: Folder) {
            self.init(path: path, version: (try? VerifyFindings.facts(of: path, in: root))?.version)
        }
    }

    /// Seconds since 1970.
    package let moment: Int
    /// The number of all findings, including those not listed.
    package let count: Int
    let findings: [Finding]

    private static let mostListed = 1000

    package init(_ findings: [Finding], at moment: Int) {
        self.init(findings.prefix(Self.mostListed), of: findings.count, at: moment)
    }

    private init(_ findings: some Sequence<Finding>, of count: Int, at moment: Int) {
        self.moment = moment
        self.count = count
        self.findings = Array(findings)
    }

    package var json: JSON {
        let findings = findings.map {
            JSON.object([("path", .string($0.path)), ("version", .optional($0.version))])
        }
        return .object([("at", .integer(moment)), ("count", .integer(count)), ("findings", .array(findings))])
    }

    package init?(_ text: JSONText?) {
        guard let moment = text?["at"]?.integer, let count = text?["count"]?.integer,
            let elements = text?["findings"]?.elements, count >= elements.count
        else { return nil }
        let findings = elements.prefix(Self.mostListed).compactMap { element in
            element["path"]?.string.map { Finding(path: $0, version: element["version"]?.string) }
        }
        self.init(findings, of: count, at: moment)
    }

    /// Without files that came back, were replaced, or are not expected any more.
    package func left(in root: Folder, by catalog: Catalog) -> VerifyFindings {
        let left = findings.filter { isLeft($0, in: root, by: catalog) }
        return VerifyFindings(left, of: count - findings.count + left.count, at: moment)
    }

    private func isLeft(_ finding: Finding, in root: Folder, by catalog: Catalog) -> Bool {
        guard let day = Self.day(of: finding.path), let status = try? catalog.status(of: day),
            Verification.paths(status).contains(finding.path)
        else { return false }
        guard let facts = try? Self.facts(of: finding.path, in: root) else { return true }
        return facts.version == finding.version
    }

    /// The days of the findings that are not JSON files.
    package var daysOfMedia: Set<Day> {
        Set(findings.map(\.path).filter { !$0.hasSuffix(".\(Metadata.suffix)") }.compactMap(Self.day))
    }

    private static func day(of path: String) -> Day? { path.split(separator: "/").last.flatMap { Day($0.prefix(10)) } }

    fileprivate static func facts(of path: String, in root: Folder) throws(StorageError) -> File.Facts? {
        guard let day = day(of: path), let name = path.split(separator: "/").last else { return nil }
        return try Tree.existingFolder(of: day, in: root)?.facts(of: String(name))
    }
}

extension Catalog {
    package func verifyFindings() throws(StorageError) -> VerifyFindings? {
        VerifyFindings(try condition(.findings))
    }

    /// Stores the findings of the last full check.
    package func setVerifyFindings(_ findings: VerifyFindings) throws(StorageError) {
        try setCondition(.findings, findings.count == 0 ? nil : findings.json)
    }
}
