internal import Apod
import Glibc

/// The settings in force, and where each comes from: the command line, over the environment, over files, over defaults.
/// What is wrong with them stands beside what is right: each command says what of them it needs.
package struct Configuration: Sendable {
    /// Which all read, and alone the service that they share.
    package static let everybodys = "/etc/apod-mirror.conf"

    package enum Need: Sendable {
        case everything
        /// Only where the mirror and its catalog are.
        case place
    }

    package private(set) var settings: Settings
    private var origins: [String: String] = [:]
    /// Those that were read, by their whole paths.
    package private(set) var files: [String] = []
    /// Which of them each setting is from.
    private var filesOfKeys: [String: String] = [:]
    private var mistakes: [ConfigurationMistake] = []
    /// What is told and changes nothing.
    private var remarks: [ConfigurationError] = []
    /// From which source each path was set, the last time; and after how many mistakes.
    private var paths: [String: (source: ConfigurationMistake.Source, mistakes: Int)] = [:]
    /// Of the files that were read together; none of one that was named.
    private var limits: [FileLimits] = []

    /// `arguments`: keys and values, as given on the command line.
    package init(arguments: [(key: String, value: String)], environment: [String: String], file: String? = nil) {
        let home = Home(environment: environment)
        let usualRoot = SettingParser.tidied(home.pictures + "/APOD")
        settings = Settings(root: usualRoot)
        for (index, path) in (file.map { [Home.absolute($0)] } ?? home.configurationFiles).enumerated() {
            do throws(ConfigurationError) {
                let contents = try ConfigurationFile(path, isRequired: file != nil)
                if contents.isThere { files.append(path) }
                if contents.isThere, file == nil { limits.append(FileLimits(file: path, root: usualRoot)) }
                take(contents, of: path, from: .file(index), home)
            } catch {
                mistakes.append(.init(error: error, subject: .anyFile, source: .file(index)))
            }
        }
        remarks += Self.unknown(in: environment)
        for setting in Setting.all {
            let name = Self.variable(setting.key)
            if let value = environment[name] { take(setting, value, called: name, from: .environment, home) }
        }
        for (key, value) in arguments {
            guard let setting = Setting.all.first(where: { $0.key == key }) else { continue }
            take(setting, value, called: "--\(key)", from: .commandLine, home)
        }
        assignLimits()
        remarks += improbable(at: time(nil))
    }

    /// What is wrong with that which is needed; nil if nothing is.
    package func refusal(of need: Need) -> ConfigurationError? {
        let wrong = mistakes(for: need)
        return wrong.isEmpty ? nil : ConfigurationError(wrong.map(\.error))
    }

    /// What is told to who needs this much, and keeps them from nothing.
    package func passedOver(by need: Need) -> [ConfigurationError] {
        need == .everything ? remarks : mistakes.filter { !isAboutPlace($0) }.map(\.error) + remarks
    }

    /// The files because of which it is not known where the mirror is; none if there is another reason, too.
    package var filesInDoubt: [String] {
        // Who names the mirror means that one.
        let sources = ["root", "state"].compactMap { paths[$0]?.source }
        if sources.contains(where: { $0 >= .environment }) { return [] }
        let wrong = mistakes(for: .place)
        return wrong.allSatisfy { $0.source < .environment } ? wrong.flatMap(\.error.files) : []
    }

    /// Whether nothing but the root is lacking, for those who need no more than the place.
    package var lacksOnlyRoot: Bool {
        let wrong = mistakes(for: .place)
        return !wrong.isEmpty && wrong.allSatisfy { $0.subject != .setting("state") && $0.source != .commandLine }
    }

    /// Where somebody else knows the mirror to be.
    package mutating func setPlace(root: String, state: String?, knownTo origin: String) {
        (settings.root, settings.state) = (root, state)
        for key in ["root", "state"] {
            origins[key] = origin
            filesOfKeys[key] = nil
            paths[key] = (.environment, mistakes.count)
        }
        assignLimits()
    }

    /// What has pictures deleted counts in the mirror that the same file is about, whatever else is read from it: each
    /// mirror's service reads one file. The person's own goes before everybody's.
    private mutating func assignLimits() {
        guard !limits.isEmpty else { return }
        let own = limits.last { $0.root == settings.root }
        for setting in Setting.all where isLimitOfFile(setting.key) {
            origins[setting.key] = nil
            filesOfKeys[setting.key] = nil
            if let line = own?.lines[setting.key] {
                try? set(setting, line.value, from: line.origin)
                filesOfKeys[setting.key] = own?.file
            } else {
                setting.unset(&settings)
            }
        }
    }

    private func isLimitOfFile(_ key: String) -> Bool {
        FileLimits.keys.contains(key) && paths[key].map { $0.source < .environment } ?? false
    }

    /// What the files say of deleting in other mirrors, and does not count in this one.
    package var otherLimits: [(key: String, origin: String, root: String)] {
        limits.filter { $0.root != settings.root }.flatMap { limits in
            limits.lines.filter { isLimitOfFile($0.key) && origins[$0.key] == nil }.map {
                ($0.key, $0.value.origin, limits.root)
            }
        }.sorted { $0.0 < $1.0 }
    }

    private func mistakes(for need: Need) -> [ConfigurationMistake] {
        need == .everything ? mistakes : mistakes.filter(isAboutPlace)
    }

    /// What is no setting may be meant for the root, unless that is set beside it or with more weight. A file that cannot
    /// be read may have any, but where the root is set at all, that one is gone by.
    private func isAboutPlace(_ mistake: ConfigurationMistake) -> Bool {
        if mistake.source == .commandLine { return true }
        switch mistake.subject {
        case .setting(let key):
            guard Setting.all.contains(where: { $0.key == key && $0.reading.isPath }) else { return false }
            return paths[key].map { $0.mistakes <= mistake.number } ?? true
        case .unknown: return paths["root"].map { $0.source < mistake.source } ?? true
        case .anyFile: return paths["root"] == nil
        }
    }

    private mutating func take(
        _ contents: ConfigurationFile, of path: String, from source: ConfigurationMistake.Source, _ home: Home
    ) {
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
                filesOfKeys[line.key] = path
                if limits.last?.file == path { limits[limits.count - 1].take(line, settings, from: place) }
                paths[line.key] = (source, mistakes.count + wrong.count)
            } catch {
                let isKnown = Setting.all.contains { $0.key == line.key }
                let error = ConfigurationError(description: error.description, file: path, line: line.number)
                let subject = isKnown ? ConfigurationMistake.Subject.setting(line.key) : .unknown
                let number = mistakes.count + wrong.count
                wrong.append(.init(error: error, subject: subject, source: source, number: number))
            }
        }
        wrong += contents.mistakes.map { .init(error: $0, subject: .unknown, source: source) }
        mistakes += wrong.sorted { $0.error.line < $1.error.line }
    }

    private mutating func take(
        _ setting: Setting, _ value: String, called origin: String, from source: ConfigurationMistake.Source,
        _ home: Home
    ) {
        do throws(ConfigurationError) {
            try set(setting, home.located(value, for: setting), from: origin)
            filesOfKeys[setting.key] = nil
            paths[setting.key] = (source, mistakes.count)
        } catch {
            mistakes.append(
                .init(error: error, subject: .setting(setting.key), source: source, number: mistakes.count))
        }
    }

    private static let prefix = "APOD_MIRROR_"

    package static func variable(_ key: String) -> String {
        prefix + key.uppercased().replacing("-", with: "_")
    }

    /// Whether a variable of the environment is meant to be a setting.
    package static func isSetting(_ variable: String) -> Bool { variable.hasPrefix(prefix) }

    /// What in the environment is called like a setting, and is none.
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
            let origin = origins[key] ?? "default"
            let isSaid = origin == "--\(key)" && words.hasPrefix(key)
            return ConfigurationError(description: isSaid ? "--\(words)" : "\(origin): \(words)")
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

    var configurationFiles: [String] { [Configuration.everybodys, configuration + "/apod-mirror.conf"] }

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
