import Glibc

/// A program that comes with this one: beside it, or in `../libexec/apod-mirror`.
package enum InstalledProgram {
    /// nil if it is not installed.
    package static func path(of name: String) -> String? {
        guard let own = (try? File.reading("/proc/self/exe"))?.truePath.map({ String(decoding: $0, as: UTF8.self) }),
            let folder = FileSystem.parent(of: own)
        else { return nil }
        return ["\(folder)/\(name)", "\(folder)/../libexec/apod-mirror/\(name)"].first { access($0, F_OK) == 0 }
    }
}
