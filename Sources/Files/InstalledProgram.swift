import Glibc

/// A program that comes with this one: beside it, or in `../libexec/apod-mirror`.
package enum InstalledProgram {
    private static let folder = (try? File.reading("/proc/self/exe"))?.truePath
        .flatMap { FileSystem.parent(of: String(decoding: $0, as: UTF8.self)) }

    /// nil if it is not installed.
    package static func path(of name: String) -> String? {
        guard let folder else { return nil }
        return ["\(folder)/\(name)", "\(folder)/../libexec/apod-mirror/\(name)"].first { access($0, F_OK) == 0 }
    }

    /// How to get one that is not installed.
    package static var remedy: String { remedy(in: folder ?? "") }

    static func remedy(in folder: String) -> String {
        guard folder.contains("/.build/") else { return "install apod-mirror again" }
        return "`swift build\(folder.hasSuffix("/release") ? " -c release" : "")` makes it"
    }
}
