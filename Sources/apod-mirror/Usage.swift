import Apod
import Archive
import Configuration
import Control

/// The parsed command line.
struct Usage {
    struct Mistake: Error {
        let description: String
        /// The `help` topic to suggest; nil: that of the command.
        let topic: String?

        init(_ description: String, topic: String? = nil) {
            self.description = description
            self.topic = topic
        }
    }

    enum Request {
        case help(HelpTopic)
        case version
        case command(Command)
    }

    private(set) var request = Request.help(.everything)
    private(set) var words: [String] = []
    private(set) var settings: [(key: String, value: String)] = []
    private(set) var configurationFile: String?
    /// The command's own, with their values in order; empty ones for those that take none.
    private var options: [String: [String]] = [:]

    /// `advice`: what to type instead of a word that is no date.
    static func day(
        _ word: String, advice: String = "give a date like 2026-11-20; the first is 1995-06-16"
    ) throws(Mistake) -> Day {
        if let day = Day(word) { return day }
        if let reason = Day.reason(against: word) { throw Mistake(reason) }
        throw Mistake("“\(Text.shown(word, atMost: 60))” is not a day; \(advice)")
    }

    /// The words, each of which is to be a day.
    var days: Set<Day> {
        get throws(Mistake) {
            var days: Set<Day> = []
            for word in words { days.insert(try Self.day(word)) }
            return days
        }
    }

    func has(_ flag: String) -> Bool { options[flag] != nil }

    subscript(option: String) -> String? { options[option]?.last }

    func all(_ option: String) -> [String] { options[option] ?? [] }

    /// From `--paths` or `--json`; nil without them.
    var listing: Listing? {
        get throws(Mistake) {
            if has("paths"), has("json") { throw Mistake("use --paths or --json, not both") }
            return has("paths") ? .paths : has("json") ? .json : nil
        }
    }

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        var command: Command?
        var wantsHelp = arguments.isEmpty
        var wantsVersion = false
        var isHelp = false
        while let word = rest.popFirst() {
            switch word {
            case "--":
                words += rest
                rest = []
            case "-h", "--help": wantsHelp = true
            case "--version": wantsVersion = true
            case let word where word.hasPrefix("-") && word.count > 1: try take(option: word, of: command, &rest)
            case "help" where command == nil && !isHelp: isHelp = true
            case let word where command == nil && !isHelp: command = try Self.command(word)
            default: words.append(word)
            }
        }
        request =
            isHelp
            ? .help(try Self.topic(words))
            : try Self.request(command, wantsHelp: wantsHelp, wantsVersion: wantsVersion)
        guard case .command(let command) = request else { return }
        if command.words == nil, let word = words.first {
            throw Mistake("unexpected “\(Text.shown(word, atMost: 60))”: `\(command.rawValue)` takes options only")
        }
        claimSettings(for: command)
        try checkOwnOptions(of: command)
    }

    private static func request(
        _ command: Command?, wantsHelp: Bool, wantsVersion: Bool
    ) throws(Mistake) -> Request {
        if wantsHelp { return .help(command.map(HelpTopic.command) ?? .everything) }
        if wantsVersion { return .version }
        guard let command else { throw Mistake("which command? One of: \(Command.names.joined(separator: ", "))") }
        return .command(command)
    }

    /// The topic that the words after `help` name.
    private static func topic(_ words: [String]) throws(Mistake) -> HelpTopic {
        guard let word = words.first, words != ["help"] else { return .everything }
        if words.count == 2, word == Command.favorites.rawValue {
            _ = try favoritesAction(words[1])
            return .command(.favorites)
        }
        guard words.count == 1 else { throw Mistake("help takes one command, like `apod-mirror help sync`") }
        if word == "settings" { return .settings }
        if let command = Command(rawValue: word) { return .command(command) }
        throw unknown("topic", word, among: Command.names + ["settings"])
    }

    private static func command(_ word: String) throws(Mistake) -> Command {
        if let command = Command(rawValue: word) { return command }
        throw unknown("command", word, among: Command.names)
    }

    static func favoritesAction(_ word: String) throws(Mistake) -> FavoritesAction {
        if let action = FavoritesAction(rawValue: word) { return action }
        if Day(word) != nil {
            throw Mistake(
                "favorites “\(word)” does not say what to do; did you mean `apod-mirror favorites add \(word)`?")
        }
        throw unknown("favorites command", word, among: FavoritesAction.allCases.map(\.rawValue))
    }

    /// Suggests the name that was probably meant, or lists all.
    static func unknown(_ kind: String, _ word: String, among names: [String]) -> Mistake {
        let hint = Spelling.nearest(to: word, among: names).map { "did you mean \($0)?" }
        let all = "choose one of: \(names.joined(separator: ", "))"
        return Mistake("unknown \(kind) “\(Text.shown(word, atMost: 60))”; \(hint ?? all)")
    }

    /// The topic of `help` for a command line that cannot be parsed.
    static func topic(of arguments: [String]) -> String? { arguments.first { Command(rawValue: $0) != nil } }

    /// Takes `--key value` or `--key=value`. Whether the command has it is checked later: options may come first.
    private mutating func take(
        option word: String, of command: Command?, _ rest: inout ArraySlice<String>
    ) throws(Mistake) {
        let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        if word.hasPrefix("--"), Self.allFlags.contains(name), parts.count == 1 {
            options[name] = [""]
            return
        }
        let isSetting = Setting.all.contains { $0.key == name }
        guard word.hasPrefix("--"), isSetting || Self.allOptions.contains(name) || name == "config" else {
            let action = command == .favorites ? words.first.flatMap(FavoritesAction.init) : nil
            throw Mistake("unknown option \(Text.shown(word, atMost: 60))\(Self.hint(for: name, of: command, action))")
        }
        let isFollowed = rest.first.map { !$0.hasPrefix("--") } ?? false
        guard let value = parts.count == 2 ? String(parts[1]) : isFollowed ? rest.popFirst() : nil else {
            throw Mistake("--\(name) needs a value")
        }
        if isSetting {
            settings.append((name, value))
        } else if name == "config" {
            configurationFile = value
        } else {
            options[name, default: []].append(value)
        }
    }

    /// Moves own options that are named like a setting, such as `since`.
    private mutating func claimSettings(for command: Command) {
        for (key, value) in settings where command.options.contains(key) { options[key, default: []].append(value) }
        settings.removeAll { command.options.contains($0.key) }
    }

    private func checkOwnOptions(of command: Command) throws(Mistake) {
        let action = command == .favorites ? FavoritesAction(rawValue: words.first ?? "list") : nil
        let name = [command.rawValue, action?.rawValue].compactMap(\.self).joined(separator: " ")
        if let option = Set(options.keys).subtracting(Self.options(of: command, action)).min() {
            throw Mistake("\(name) has no option --\(option)\(Self.list(of: command, action))")
        }
        if let (key, value) = settings.first(where: { !command.settings.contains($0.key) }) {
            let setting = Text.shown("\(key) = \(value)", atMost: 60)
            let hint = "\(key) is a setting: write `\(setting)` into the settings file"
            throw Mistake("\(name) has no option --\(key)\(Self.list(of: command, action)). \(hint)")
        }
    }

    private static var allFlags: Set<String> { Set(Command.allCases.flatMap(\.flags)) }
    private static var allOptions: Set<String> { Set(Command.allCases.flatMap(\.options)) }

    /// The command's own options, or those of one action of `favorites`.
    private static func options(of command: Command, _ action: FavoritesAction?) -> [String] {
        action?.options ?? command.ownOptions.map(\.name)
    }

    /// Suggests the option that was probably meant, or lists all of the command.
    private static func hint(for name: String, of command: Command?, _ action: FavoritesAction?) -> String {
        let own = command.map { options(of: $0, action) } ?? Array(allFlags.union(allOptions))
        let known = (command?.settings ?? Setting.all.map(\.key)) + own + ["config", "help", "version"]
        let nearest = Spelling.nearest(to: name, among: known.sorted())
        return nearest.map { "; did you mean --\($0)?" } ?? command.map { list(of: $0, action) } ?? ""
    }

    private static func list(of command: Command, _ action: FavoritesAction?) -> String {
        let takesAll = command.settings == Setting.all.map(\.key)
        let names = options(of: command, action) + (takesAll ? [] : command.settings) + ["config"]
        let options = names.map { "--\($0)" } + (takesAll ? ["and every setting as an option"] : [])
        return "; it takes \(options.joined(separator: ", "))"
    }
}

enum HelpTopic {
    case everything, settings
    case command(Command)
}

/// How a command lists days.
enum Listing: String {
    case titles
    /// Titles, each with the text around the words found.
    case excerpts
    case paths
    case json
}

/// The sub-commands of `apod-mirror favorites`.
enum FavoritesAction: String, CaseIterable {
    case list, add, remove, history, restore

    /// The options that it takes, of the command's own.
    var options: [String] {
        switch self {
        case .list: ["paths", "json"]
        case .add: ["album", "json"]
        case .remove, .history: ["json"]
        case .restore: ["since", "json"]
        }
    }
}
