import Apod
import Glibc

enum Environment {
    static var current: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let variable = next.pointee {
            let parts = String(cString: variable).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables
    }
}

/// The version of the changelog's newest entry, which begins with `apod-mirror (0.2.0)`.
enum ProgramVersion {
    static let number: String = {
        let bracketed = PackageResources.changelog.drop { $0 != "(" }.dropFirst()
        return (bracketed.prefix { $0 != ")" }).text
    }()
}
