package import Apod
import Files

/// How many files `verify` found damaged or missing, kept in the catalog for `status` until the next `verify`.
package struct VerifyFindings: Sendable, Equatable, Codable {
    package let count: Int
    package let found: Moment

    package init(_ count: Int, at moment: Int) { (self.count, found) = (count, Moment(moment)) }
}

extension Catalog {
    package func verifyFindings() throws -> VerifyFindings? {
        try condition(.findings)
    }

    /// Stores what the last full check found.
    package func setVerifyFindings(_ findings: VerifyFindings) throws {
        try setCondition(.findings, findings.count == 0 ? nil : findings)
    }
}
