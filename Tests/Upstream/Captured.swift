import Apod
import TestSupport
import Testing

@testable import Upstream

/// The upstream's real answers, where they stand beside the project.
enum Captured {
    static let isHere = Places.shared != nil

    static func bytes(_ file: String) throws -> [UInt8] {
        try contents("\(#require(Places.shared))/upstream/\(file)")
    }

    static func picture(_ file: String) throws -> Picture { try Picture(record: JSONText(bytes(file))) }
}
