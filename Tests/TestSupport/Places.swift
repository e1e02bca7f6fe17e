import Apod
import Glibc

/// Where things are while the tests run.
package enum Places {
    /// The folder with Package.swift.
    package static let packageRoot: String = parent(of: parent(of: parent(of: #filePath)))

    /// The folder `shared` beside the project, where the captured answers are; nil where the project stands alone.
    package static let shared: String? = {
        let path = parent(of: packageRoot) + "/shared"
        return access(path, R_OK | X_OK) == 0 ? path : nil
    }()

    /// A program of this package, as it was built together with the tests.
    package static func built(_ name: String) -> String {
        let folders = [ownFolder, packageRoot + "/.build/debug", packageRoot + "/.build/release"]
        let paths = folders.map { "\($0)/\(name)" }
        return paths.first { access($0, X_OK) == 0 } ?? paths[0]
    }

    private static var ownFolder: String {
        var buffer = nulls(Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        return parent(of: buffer.prefix(max(count, 0)).text)
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
