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
    /// `key`: the setting that it is about; empty where any may be meant.
    private var mistakes: [(key: String, words: String)] = []
    /// Complaints that stop no command.
    private var remarks: [String] = []

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
            mistakes += error.mistakes.map { (key: "", words: $0) }
        }
    }

    private mutating func take(
        _ environment: [String: String], _ arguments: [(key: String, value: String)], _ home: Home
    ) {
        for setting in Setting.all {
            let name = Self.variable(setting.key)
            if let value = environment[name] { set(setting.key, home.located(value, for: setting.key), from: name) }
        }
        for (key, value) in arguments { set(key, home.located(value, for: key), from: "--\(key)") }
    }

    /// True also if both paths lead to one folder.
    private static func isSame(_ root: String, _ other: String) -> Bool {
        root == other || FileSystem.resolved(root).map { $0 == FileSystem.resolved(other) } ?? false
    }

    /// The mistakes in needed settings; nil if there are none.
    package func refusal(of need: Need) -> ConfigurationError? {
        let wrong = need == .everything ? mistakes : mistakes.filter(isAboutPlace)
        return wrong.isEmpty ? nil : ConfigurationError(wrong.map(\.words))
    }

    /// The complaints that do not stop a command with this need.
    package func passedOver(by need: Need) -> [String] {
        need == .everything ? remarks : mistakes.filter { !isAboutPlace($0) }.map(\.words) + remarks
    }

    private var knowsPlace: Bool { !mistakes.contains(where: isAboutPlace) }

    /// True if naming the root would be enough to know the place.
    package var lacksOnlyRoot: Bool { !knowsPlace && !mistakes.contains { $0.key == "state" && isAboutPlace($0) } }

    /// An unknown key may be a misspelt `root`, and a file that cannot be read may name one.
    private func isAboutPlace(_ mistake: (key: String, words: String)) -> Bool {
        if Setting.place.contains(mistake.key) { return origins[mistake.key] == nil }
        return origins["root"] == nil && !Setting.all.contains { $0.key == mistake.key }
    }

    private mutating func take(_ contents: ConfigurationFile, of path: String, _ home: Home) {
        var seen: [String: Int] = [:]
        for line in contents.lines {
            let place = "\(path):\(line.number)"
            if let mistake = line.mistake {
                refuse(line.key, "\(place): \(mistake)")
                continue
            }
            if Setting.former.contains(line.key) {
                remarks.append(Self.former(line.key, at: place))
                continue
            }
            if let other = seen.updateValue(line.number, forKey: line.key) {
                remarks.append("\(place): \(line.key) is set in line \(other), too; this one counts")
            }
            if path == Self.everybodys, line.value.hasPrefix("~") {
                refuse(line.key, "\(place): ~ is another folder for everybody; name it")
            } else {
                set(line.key, home.expanded(line.value), from: place)
            }
        }
    }

    /// Where the person's settings are.
    package static func folder(_ environment: [String: String]) -> String {
        Home(environment: environment).configuration
    }

    private static let prefix = "APOD_MIRROR_"

    package static func variable(_ key: String) -> String {
        prefix + key.uppercased().replacing("-", with: "_")
    }

    package static func isSetting(_ variable: String) -> Bool { variable.hasPrefix(prefix) }

    /// Variables that are named like a setting and are none.
    private static func unknown(in environment: [String: String]) -> [String] {
        environment.keys.filter(isSetting).sorted().compactMap { name -> String? in
            if Setting.all.contains(where: { variable($0.key) == name }) { return nil }
            let key = name.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
            if Setting.former.contains(key) { return former(key, at: name) }
            let nearest = Spelling.nearest(to: key, among: Setting.all.map(\.key))
            let hint = nearest.map { "; did you mean \(variable($0))?" } ?? ""
            return "\(Text.shown(name)): unknown setting in the environment\(hint)"
        }
    }

    private static func former(_ key: String, at place: String) -> String {
        "\(place): \(key) is no longer a setting and changes nothing; delete it"
    }

    package func origin(of key: String) -> String { origins[key] ?? "default" }

    /// Sets the key, or notes why not.
    private mutating func set(_ key: String, _ value: String, from origin: String) {
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
            let hint = Spelling.nearest(to: key, among: Setting.all.map(\.key)).map { "; did you mean \($0)?" } ?? ""
            return refuse(key, "\(origin): unknown setting \(ConfigurationError.quoted(key))\(hint)")
        }
        guard setting.reading.set(&settings, value) else {
            let quoted = ConfigurationError.quoted(value)
            return refuse(key, "\(origin): \(quoted) is not a value for \(key); it takes \(setting.reading.takes)")
        }
        origins[key] = origin
    }

    /// Notes a mistake. It lasts until a later line, or a source with more weight, sets the key.
    private mutating func refuse(_ key: String, _ words: String) {
        origins[key] = nil
        mistakes.append((key: key, words: words))
    }
}

/// The person's folders (XDG base directories and user directories).
private struct Home {
    private let path: String
    let configuration: String

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
    func located(_ value: String, for key: String) -> String {
        let value = expanded(value)
        return Setting.place.contains(key) && !value.isEmpty ? Self.absolute(value) : value
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
