import Apod
import Files
import Glibc

/// The settings in force, and where each comes from: the command line, over the environment, over one file, over defaults.
///
/// `Setting.all` is the table of keys, `ConfigurationFile` reads the file. The file describes one mirror: where the
/// command line or the environment names another root, nothing of it counts. Mistakes are kept beside the values:
/// commands that only look go on with the others.
package struct Configuration: Sendable {
    /// The file of the system service, and of people without one of their own.
    package static let everybodys = "/etc/apod-mirror.conf"
    /// The root of that file's mirror, if the file names none.
    private static let everybodysRoot = "/srv/apod"

    package private(set) var settings: Settings
    private var origins: [String: String] = [:]
    /// The absolute path of the file that counts; nil if there is none.
    package private(set) var file: String?
    /// The file that was found and does not count, and the mirror that it describes.
    package private(set) var otherMirror: (file: String, root: String)?
    private var mistakes: [String] = []
    /// Complaints that stop no command.
    package private(set) var remarks: [String] = []

    /// `arguments`: keys and values, as given on the command line. `file`: the one to read; nil for the person's own, or
    /// else everybody's.
    package init(arguments: [(key: String, value: String)], environment: [String: String], file: String? = nil) {
        let home = Home(environment: environment)
        let usual = Settings(root: SettingParser.tidied(home.pictures + "/APOD"))
        self.init(usual)
        takeFile(home, named: file)
        var others = Self(usual)
        others.read(environment, arguments, home)
        if let file = self.file, others.origins["root"] != nil, !Self.isSame(settings.root, others.settings.root) {
            others.otherMirror = (file, settings.root)
            self = others
        } else {
            read(environment, arguments, home)
        }
        remarks += Self.unknown(in: environment)
    }

    private init(_ usual: Settings) { settings = usual }

    private mutating func takeFile(_ home: Home, named: String?) {
        guard let path = named.map(Home.absolute) ?? home.configurationFiles.first else { return }
        if path == Self.everybodys { settings.root = Self.everybodysRoot }
        do throws(ConfigurationError) {
            let contents = try ConfigurationFile(path)
            file = path
            read(contents, of: path, home)
        } catch {
            mistakes += error.mistakes
        }
    }

    private mutating func read(
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

    /// The mistakes in the settings; nil if there are none.
    package var refusal: ConfigurationError? { mistakes.isEmpty ? nil : ConfigurationError(mistakes) }

    private mutating func read(_ contents: ConfigurationFile, of path: String, _ home: Home) {
        // A list comes before what is said of it, whatever the order of their lines.
        let isDetail = { (line: ConfigurationFile.Line) in ListKey(line.key)?.isDetail == true }
        for line in contents.lines.filter({ !isDetail($0) }) + contents.lines.filter(isDetail) {
            let place = "\(path):\(line.number)"
            guard let value = line.value else {
                mistakes.append("\(place): “\(Text.brief(line.key))” is not `key = value`")
                continue
            }
            // `~` in everybody's file would be another folder for each reader.
            set(line.key, path == Self.everybodys ? value : home.expanded(value), from: place)
        }
    }

    /// The files that are there of those that are read without `--config`: the first one counts.
    package static func files(_ environment: [String: String]) -> [String] {
        Home(environment: environment).configurationFiles
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
            let nearest = Spelling.nearest(to: key, among: Setting.all.map(\.key))
            let hint = nearest.map { "; did you mean \(variable($0))?" } ?? ""
            return "\(Text.shown(name)): unknown setting in the environment\(hint)"
        }
    }

    package func origin(of key: String) -> String { origins[key] ?? "default" }

    /// Sets the key, or notes why not.
    private mutating func set(_ key: String, _ value: String, from origin: String) {
        guard let setting = Setting.named(key) else {
            let key = Text.brief(key)
            let nearest = Spelling.nearest(to: key, among: Setting.all.map(\.key)).map { "did you mean \($0)?" }
            let hint = (ListKey.hint(for: key) ?? nearest).map { "; \($0)" } ?? ""
            return mistakes.append("\(origin): unknown setting “\(key)”\(hint)")
        }
        if let list = ListKey(key), list.isDetail, settings[list: list.name] == nil {
            return mistakes.append("\(origin): \(key) needs a valid list.\(list.name) beside it")
        }
        if let name = ListKey(key)?.name, name.isOfRoot {
            return mistakes.append(
                """
                \(origin): a list cannot be called \(name), a name of the mirror's own; take another one, like list.my-\(name); \
                what is in lists/\(name) stays
                """)
        }
        guard setting.reading.set(&settings, value) else {
            let takes = setting.reading.takes
            return mistakes.append("\(origin): “\(Text.brief(value))” is not a value for \(key); it takes \(takes)")
        }
        origins[key] = origin
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

    /// Those that are there.
    var configurationFiles: [String] {
        [configuration + "/apod-mirror.conf", Configuration.everybodys].filter { access($0, F_OK) == 0 }
    }

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
        var folders = String(cString: here).utf8.split(separator: "/").map { String($0)! }
        var parts = path.utf8.split(separator: "/").map { String($0)! }[...]
        // getcwd(3) returns no links, so `..` is the folder before.
        while let part = parts.first, part == "." || part == ".." {
            parts.removeFirst()
            if part == ".." { _ = folders.popLast() }
        }
        return "/" + (folders + parts).joined(separator: "/")
    }
}
