internal import Apod
internal import Files
import Glibc

/// The settings in force, and where each comes from: the command line, over the environment, over one file, over defaults.
///
/// `Setting.all` is the table of keys, `ConfigurationFile` reads the file. The file describes one mirror: where the
/// command line or the environment names another root, nothing of it counts. Mistakes are kept beside the values, as
/// each command says which settings it needs.
package struct Configuration: Sendable {
    /// The file of the system service, and of people without one of their own.
    package static let everybodys = "/etc/apod-mirror.conf"
    /// The root of that file's mirror, if the file names none.
    private static let everybodysRoot = "/srv/apod"

    package enum Need: Sendable {
        case everything
        /// Only `root` and `state`.
        case place
    }

    package private(set) var settings: Settings
    private var origins: [String: String] = [:]
    /// The absolute path of the file that counts; nil if there is none.
    package private(set) var file: String?
    /// The file that was found and does not count, and the mirror that it describes.
    package private(set) var otherMirror: (file: String, root: String)?
    private var mistakes: [ConfigurationMistake] = []
    /// Complaints that stop no command.
    private var remarks: [ConfigurationError] = []

    /// `arguments`: keys and values, as given on the command line. `file`: the one to read; nil for the person's own, or
    /// else everybody's.
    package init(arguments: [(key: String, value: String)], environment: [String: String], file: String? = nil) {
        let home = Home(environment: environment)
        let usual = Settings(root: SettingParser.tidied(home.pictures + "/APOD"))
        self.init(usual)
        takeFile(home, named: file)
        var others = Self(usual)
        others.take(environment, arguments, home)
        if let file = self.file, knowsPlace, others.origins["root"] != nil,
            !Self.isSame(settings.root, others.settings.root)
        {
            others.otherMirror = (file, settings.root)
            self = others
        } else {
            take(environment, arguments, home)
        }
        remarks += Self.unknown(in: environment)
    }

    private init(_ usual: Settings) { settings = usual }

    private mutating func takeFile(_ home: Home, named: String?) {
        let found = home.configurationFiles.first { access($0, F_OK) == 0 }
        guard let path = named.map(Home.absolute) ?? found else { return }
        do throws(ConfigurationError) {
            let contents = try ConfigurationFile(path)
            file = path
            if path == Self.everybodys { settings.root = Self.everybodysRoot }
            take(contents, of: path, home)
        } catch {
            mistakes.append(.init(error: error))
        }
    }

    private mutating func take(
        _ environment: [String: String], _ arguments: [(key: String, value: String)], _ home: Home
    ) {
        for setting in Setting.all {
            let name = Self.variable(setting.key)
            if let value = environment[name] { take(setting, value, called: name, home) }
        }
        for (key, value) in arguments {
            guard let setting = Setting.all.first(where: { $0.key == key }) else { continue }
            take(setting, value, called: "--\(key)", home)
        }
    }

    /// True also if both paths lead to one folder.
    private static func isSame(_ root: String, _ other: String) -> Bool {
        root == other || FileSystem.resolved(root).map { $0 == FileSystem.resolved(other) } ?? false
    }

    /// The mistakes in needed settings; nil if there are none.
    package func refusal(of need: Need) -> ConfigurationError? {
        let wrong = need == .everything ? mistakes : mistakes.filter(isAboutPlace)
        return wrong.isEmpty ? nil : ConfigurationError(wrong.map(\.error))
    }

    /// The complaints that do not stop a command with this need.
    package func passedOver(by need: Need) -> [ConfigurationError] {
        need == .everything ? remarks : mistakes.filter { !isAboutPlace($0) }.map(\.error) + remarks
    }

    private var knowsPlace: Bool { !mistakes.contains(where: isAboutPlace) }

    /// True if naming the root would be enough to know the place.
    package var lacksOnlyRoot: Bool { !knowsPlace && !mistakes.contains { $0.key == "state" && isAboutPlace($0) } }

    /// An unknown key may be a misspelt `root`, and a file that cannot be read may name one.
    private func isAboutPlace(_ mistake: ConfigurationMistake) -> Bool {
        guard let key = mistake.key else { return origins["root"] == nil }
        return !mistake.isSuperseded && Setting.all.contains { $0.key == key && $0.reading.isPath }
    }

    private mutating func take(_ contents: ConfigurationFile, of path: String, _ home: Home) {
        var (seen, wrong): ([String: Int], [ConfigurationMistake]) = ([:], [])
        for line in contents.lines {
            let place = "\(path):\(line.number)"
            if Setting.former.contains(line.key) {
                remarks.append(Self.former(line.key, at: place))
                continue
            }
            if let other = seen.updateValue(line.number, forKey: line.key) {
                let words = "\(line.key) is set in line \(other), too; this one counts"
                remarks.append(ConfigurationError(description: "\(place): \(words)"))
            }
            do throws(ConfigurationError) {
                if !line.isText {
                    throw ConfigurationError(description: "\(place): this is not UTF-8; save the file as UTF-8")
                }
                if path == Self.everybodys, line.value.hasPrefix("~") {
                    throw ConfigurationError(description: "\(place): ~ is another folder for everybody; name it")
                }
                try set(line.key, home.expanded(line.value), from: place)
                for index in wrong.indices where wrong[index].key == line.key { wrong[index].isSuperseded = true }
            } catch {
                let isKnown = Setting.all.contains { $0.key == line.key }
                let error = ConfigurationError(description: error.description, line: line.number)
                wrong.append(.init(error: error, key: isKnown ? line.key : nil))
            }
        }
        wrong += contents.mistakes.map { .init(error: $0) }
        mistakes += wrong.sorted { $0.error.line < $1.error.line }
    }

    private mutating func take(_ setting: Setting, _ value: String, called origin: String, _ home: Home) {
        do throws(ConfigurationError) {
            try set(setting, home.located(value, for: setting), from: origin)
            for index in mistakes.indices where mistakes[index].key == setting.key {
                mistakes[index].isSuperseded = true
            }
        } catch {
            mistakes.append(.init(error: error, key: setting.key))
        }
    }

    private static let prefix = "APOD_MIRROR_"

    package static func variable(_ key: String) -> String {
        prefix + key.uppercased().replacing("-", with: "_")
    }

    package static func isSetting(_ variable: String) -> Bool { variable.hasPrefix(prefix) }

    /// Variables that are named like a setting and are none.
    private static func unknown(in environment: [String: String]) -> [ConfigurationError] {
        let keys = Setting.all.map { String(variable($0.key).dropFirst(prefix.count)) }
        let names = environment.keys.filter { $0.hasPrefix(prefix) }.sorted()
        return names.filter { !keys.contains(String($0.dropFirst(prefix.count))) }.map { name in
            if let key = Setting.former.first(where: { variable($0) == name }) { return former(key, at: name) }
            let nearest = Spelling.nearest(to: String(name.dropFirst(prefix.count)), among: keys)
            let hint = nearest.map { "; did you mean \(prefix)\($0)?" } ?? ""
            return ConfigurationError(description: "\(Text.shown(name)): unknown setting in the environment\(hint)")
        }
    }

    private static func former(_ key: String, at place: String) -> ConfigurationError {
        ConfigurationError(description: "\(place): \(key) is no longer a setting and changes nothing; delete it")
    }

    package func origin(of key: String) -> String { origins[key] ?? "default" }

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

    /// The home folder in the user database: services and timers may run without HOME.
    private static var registered: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/" }

    var configurationFiles: [String] { [configuration + "/apod-mirror.conf", Configuration.everybodys] }

    var pictures: String {
        let lines = (try? ConfigurationFile(configuration + "/user-dirs.dirs").lines) ?? []
        let value = lines.last { $0.key == "XDG_PICTURES_DIR" }?.value
        guard let value, value.hasPrefix("\""), value.hasSuffix("\""), value.count > 2 else {
            return path + "/Pictures"
        }
        return String(value.dropFirst().dropLast()).replacing("$HOME", with: path)
    }

    func expanded(_ value: String) -> String {
        value == "~" || value.hasPrefix("~/") ? path + value.dropFirst() : value
    }

    /// Makes a typed path absolute. Files have no relative paths: they would be another place for each program.
    func located(_ value: String, for setting: Setting) -> String {
        let value = expanded(value)
        return setting.reading.isPath && !value.isEmpty ? Self.absolute(value) : value
    }

    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        var folders = String(cString: here).utf8.split(separator: UInt8(ascii: "/")).map { String($0)! }
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String($0)! }[...]
        // getcwd(3) returns no links, so `..` is the folder before.
        while let part = parts.first, part == "." || part == ".." {
            parts.removeFirst()
            if part == ".." { _ = folders.popLast() }
        }
        return "/" + (folders + parts).joined(separator: "/")
    }
}

/// A mistake, and the setting that it is about.
struct ConfigurationMistake: Sendable {
    let error: ConfigurationError
    /// nil if it may be about any setting.
    var key: String?
    /// True if a later line, or a source with more weight, sets the key.
    var isSuperseded = false
}
