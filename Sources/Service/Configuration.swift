/// The settings in force, and where each comes from: the command line, over the environment, over files, over defaults.
package struct Configuration: Sendable {
    package private(set) var settings: Settings
    private var origins: [String: String] = [:]

    package struct Complaint: Error, CustomStringConvertible {
        package let description: String
    }

    /// `arguments`: keys and values, as given on the command line.
    package init(
        arguments: [(key: String, value: String)], environment: [String: String], file: String? = nil
    ) throws(Complaint) {
        let home = Home(environment: environment)
        settings = Settings(root: home.pictures + "/APOD")
        for path in file.map({ [$0] }) ?? home.configurationFiles {
            for line in try ConfigurationFile(path, isRequired: file != nil).lines {
                try set(line.key, home.expanded(line.value), from: "\(path):\(line.number)")
            }
        }
        for setting in Setting.all {
            let name = "APOD_MIRROR_" + setting.key.uppercased().replacing("-", with: "_")
            if let value = environment[name] { try set(setting.key, home.expanded(value), from: name) }
        }
        for (key, value) in arguments { try set(key, value, from: "--\(key)") }
    }

    package func origin(of setting: Setting) -> String { origins[setting.key] ?? "default" }

    private mutating func set(_ key: String, _ value: String, from origin: String) throws(Complaint) {
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
            let hint = Spelling.nearest(to: key, among: Setting.all.map(\.key)).map { "; did you mean \($0)?" } ?? ""
            throw Complaint(description: "\(origin): unknown setting “\(key)”\(hint)")
        }
        guard setting.set(&settings, value) else {
            throw Complaint(description: "\(origin): “\(value)” is not a value for \(key); it takes \(setting.value)")
        }
        origins[key] = origin
    }
}

/// The person's folders (XDG base directories and user directories).
private struct Home {
    private let path: String
    private let configuration: String

    init(environment: [String: String]) {
        path = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? path + "/.config"
    }

    var configurationFiles: [String] { ["/etc/apod-mirror.conf", configuration + "/apod-mirror.conf"] }

    var pictures: String {
        let lines = (try? ConfigurationFile(configuration + "/user-dirs.dirs", isRequired: false).lines) ?? []
        let value = lines.last { $0.key == "XDG_PICTURES_DIR" }?.value
        guard let value, value.hasPrefix("\""), value.hasSuffix("\""), value.count > 2 else {
            return path + "/Pictures"
        }
        return String(value.dropFirst().dropLast()).replacing("$HOME", with: path)
    }

    func expanded(_ value: String) -> String { value.hasPrefix("~/") ? path + value.dropFirst() : value }
}
