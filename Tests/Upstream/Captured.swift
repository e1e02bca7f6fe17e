import Apod
import Glibc
import Testing

@testable import Upstream

/// The upstream's real answers, where they stand beside the project.
enum Captured {
    private static let folder: String = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/../shared/upstream/"
    }()

    static var isHere: Bool { access(folder + "v2", R_OK) == 0 }

    static func bytes(_ file: String) throws -> [UInt8] {
        let stream = try #require(fopen(folder + file, "r"), "\(file)")
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }

    static func picture(_ file: String, _ index: Int? = nil) throws -> Picture {
        let json = try JSONText(bytes(file))
        let record = try index.map { try #require(json.elements?[$0]) } ?? json
        return try Picture(record: record)
    }
}
