internal import Apod
import Glibc

/// The settings in force, and where each comes from: the command line, over the environment, over files, over defaults.
package struct Configuration: Sendable {
    package private(set) var settings: Settings
    private var origins: [String: String] = [:]
    /// Those that were read, by their whole paths.
    package private(set) var files: [String] = []
    /// Which of them each setting is from.
    private var filesOfKeys: [String: String] = [:]
    /// What is told and changes nothing: also what in the files is no value, where that was asked for.
    package private(set) var passedOver: [ConfigurationError] = []

    /// `arguments`: keys and values, as given on the command line. `passesOver`: goes on without what in a file is no
    /// setting or no value, unless it may be what says where the mirror is.
    package init(
        arguments: [(key: String, value: String)], environment: [String: String], file: String? = nil,
        passesOver: Bool = false
    ) throws(ConfigurationError) {
        let home = Home(environment: environment)
        settings = Settings(root: SettingParser.tidied(home.pictures + "/APOD"))
        var mistakes: [ConfigurationError] = []
        for path in file.map({ [Home.absolute($0)] }) ?? home.configurationFiles {
            do throws(ConfigurationError) {
                let contents = try ConfigurationFile(path, isRequired: file != nil)
                if contents.isThere { files.append(path) }
                let others = take(contents.lines, of: path, home, passesOver: passesOver)
                mistakes += (contents.mistakes + others).sorted { $0.line < $1.line }
            } catch {
                mistakes.append(error)
            }
        }
        passedOver += Self.unknown(in: environment)
        let variables = Setting.all.compactMap { setting in
            environment[Self.variable(setting.key)].map { (setting, $0, Self.variable(setting.key)) }
        }
        let options = arguments.compactMap { key, value in
            Setting.all.first { $0.key == key }.map { ($0, value, "--\(key)") }
        }
        for (setting, value, origin) in variables + options {
            do throws(ConfigurationError) {
                try set(setting, home.located(value, for: setting), from: origin)
                filesOfKeys[setting.key] = nil
            } catch {
                mistakes.append(error)
            }
        }
        if !mistakes.isEmpty { throw ConfigurationError(mistakes) }
        passedOver += improbable(at: time(nil))
    }

    /// Returns what is wrong with them.
    private mutating func take(
        _ lines: [ConfigurationFile.Line], of path: String, _ home: Home, passesOver: Bool
    ) -> [ConfigurationError] {
        var (seen, mistakes): ([String: Int], [ConfigurationError]) = ([:], [])
        for line in lines {
            let place = "\(path):\(line.number)"
            if let other = seen.updateValue(line.number, forKey: line.key) {
                let words = "\(line.key) is set in line \(other), too; this one counts"
                passedOver.append(ConfigurationError(description: "\(place): \(words)"))
            }
            if path == Home.everybodys, line.value.hasPrefix("~") {
                let words = "\(place): ~ is another folder for everybody; name it"
                mistakes.append(ConfigurationError(description: words, file: path, line: line.number))
                continue
            }
            do throws(ConfigurationError) {
                try set(line.key, home.expanded(line.value), from: place)
                filesOfKeys[line.key] = path
            } catch {
                let setting = Setting.all.first { $0.key == line.key }
                if passesOver, setting.map({ !$0.reading.isPath }) ?? Self.isRootSet(in: lines) {
                    passedOver.append(error)
                } else {
                    mistakes.append(ConfigurationError(description: error.description, file: path, line: line.number))
                }
            }
        }
        return mistakes
    }

    /// If not, what is no setting may be meant for it.
    private static func isRootSet(in lines: [ConfigurationFile.Line]) -> Bool { lines.contains { $0.key == "root" } }

    private static let prefix = "APOD_MIRROR_"

    private static func variable(_ key: String) -> String {
        prefix + key.uppercased().replacing("-", with: "_")
    }

    /// What in the environment is called like a setting, and is none.
    private static func unknown(in environment: [String: String]) -> [ConfigurationError] {
        let keys = Setting.all.map { String(variable($0.key).dropFirst(prefix.count)) }
        let names = environment.keys.filter { $0.hasPrefix(prefix) }.sorted()
        return names.filter { !keys.contains(String($0.dropFirst(prefix.count))) }.map { name in
            let nearest = Spelling.nearest(to: String(name.dropFirst(prefix.count)), among: keys)
            let hint = nearest.map { "; did you mean \(prefix)\($0)?" } ?? ""
            return ConfigurationError(description: "\(Text.shown(name)): unknown setting in the environment\(hint)")
        }
    }

    /// What is a value, and hardly meant.
    private func improbable(at now: Int) -> [ConfigurationError] {
        let sizes = [
            ("max-file", settings.maxFile, "M", "no picture is fetched"),
            ("max-total", settings.maxTotal, "G", "all pictures but the newest and favorites are deleted"),
        ]
        var complaints: [(key: String, words: String)] = sizes.compactMap { key, bytes, unit, effect in
            guard let bytes, bytes < Self.smallestPicture else { return nil }
            let hint = bytes < 1000 ? "; did you mean \(bytes)\(unit)?" : ""
            return (key, "\(key) is \(Size.text(bytes)), less than one picture: \(effect)\(hint)")
        }
        if let since = settings.since, since > Day(utc: now) {
            let words = "since is \(since), which is still to come: until then, no new pictures are fetched"
            complaints.append(("since", words))
        }
        if let contact = settings.contact, !Self.isReachable(contact) {
            let examples = "like https://example.org or me@example.org"
            complaints.append(("contact", "nobody can write to “\(contact)”; contact takes an address, \(examples)"))
        }
        if let state = settings.state, "\(state)/".hasPrefix("\(settings.root)/"), !state.contains("/.") {
            complaints.append(
                ("state", "state is inside root: the catalog lies where people look; name a folder elsewhere"))
        }
        return complaints.map { key, words in
            ConfigurationError(description: "\(origins[key] ?? "default"): \(words)")
        }
    }

    private static let smallestPicture = 10_000

    /// By a page or a mailbox, whatever else is said of them.
    private static func isReachable(_ contact: String) -> Bool {
        contact.split(separator: " ").contains { word in
            WebAddress(String(word)) != nil
                || word.split(separator: "@", omittingEmptySubsequences: false).count == 2
                    && !word.hasPrefix("@") && !word.hasSuffix("@")
        }
    }

    package func origin(of key: String) -> String { origins[key] ?? "default" }

    /// The whole path of the file that a setting is from; nil if it is from none.
    package func file(of key: String) -> String? { filesOfKeys[key] }

    private mutating func set(_ key: String, _ value: String, from origin: String) throws(ConfigurationError) {
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
            let hint = Spelling.nearest(to: key, among: Setting.all.map(\.key)).map { "; did you mean \($0)?" } ?? ""
            throw ConfigurationError(description: "\(origin): unknown setting \(ConfigurationError.quoted(key))\(hint)")
        }
        try set(setting, value, from: origin)
    }

    private mutating func set(_ setting: Setting, _ value: String, from origin: String) throws(ConfigurationError) {
        guard setting.reading.set(&settings, value) else {
            let takes = setting.reading.takes
            throw ConfigurationError(
                description:
                    "\(origin): \(ConfigurationError.quoted(value)) is not a value for \(setting.key); it takes \(takes)"
            )
        }
        origins[setting.key] = origin
    }
}

/// The person's folders (XDG base directories and user directories).
private struct Home {
    private let path: String
    private let configuration: String

    init(environment: [String: String]) {
        path = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? Self.registered
        configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? path + "/.config"
    }

    /// As the system knows it; services and timers may run without HOME.
    private static var registered: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/" }

    static let everybodys = "/etc/apod-mirror.conf"

    var configurationFiles: [String] { [Self.everybodys, configuration + "/apod-mirror.conf"] }

    var pictures: String {
        let lines = (try? ConfigurationFile(configuration + "/user-dirs.dirs", isRequired: false).lines) ?? []
        let value = lines.last { $0.key == "XDG_PICTURES_DIR" }?.value
        guard let value, value.hasPrefix("\""), value.hasSuffix("\""), value.count > 2 else {
            return path + "/Pictures"
        }
        return String(value.dropFirst().dropLast()).replacing("$HOME", with: path)
    }

    func expanded(_ value: String) -> String {
        value == "~" || value.hasPrefix("~/") ? path + value.dropFirst() : value
    }

    /// What a person types is meant from where they are. In a file, that would be another place for each program.
    func located(_ value: String, for setting: Setting) -> String {
        let value = expanded(value)
        return setting.reading.isPath && !value.isEmpty ? Self.absolute(value) : value
    }

    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        var folders = String(cString: here).utf8.split(separator: UInt8(ascii: "/")).map { String($0)! }
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String($0)! }[...]
        // Where somebody stands is no link: what is above it is the folder before it.
        while let part = parts.first, part == "." || part == ".." {
            parts.removeFirst()
            if part == ".." { _ = folders.popLast() }
        }
        return "/" + (folders + parts).joined(separator: "/")
    }
}
