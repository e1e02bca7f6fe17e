import Apod
import Configuration
import Service
import Store

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

    enum Wish {
        case help(HelpTopic)
        case version
        case command(Command)
    }

    private let commands: [Command]
    private(set) var request = Wish.help(.everything)
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

    /// From `--list`.
    var list: ListName? {
        get throws(Mistake) {
            try self["list"].map { word throws(Mistake) in
                guard let name = ListName(word) else { throw Mistake("“\(Text.brief(word))” is no list's name") }
                return name
            }
        }
    }

    func has(_ flag: String) -> Bool { options[flag] != nil }

    subscript(option: String) -> String? { options[option]?.last }

    func all(_ option: String) -> [String] { options[option] ?? [] }

    /// From `--paths` or `--json`; nil without them.
    var listing: DayListing? {
        get throws(Mistake) {
            if has("paths"), has("json") { throw Mistake("use --paths or --json, not both") }
            return has("paths") ? .paths : has("json") ? .json : nil
        }
    }

    /// Reads the settings.
    var configuration: Configuration {
        Configuration(arguments: settings, environment: Environment.current, file: configurationFile)
    }

    init(_ arguments: [String], of commands: [Command]) throws(Mistake) {
        self.commands = commands
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
            case let word where word.hasPrefix("-") && word.count > 1: try read(option: word, of: command, &rest)
            case "help" where command == nil && !isHelp: isHelp = true
            case let word where command == nil && !isHelp: command = try self.command(word)
            default: words.append(word)
            }
        }
        request =
            isHelp
            ? .help(try topic())
            : try request(command, wantsHelp: wantsHelp, wantsVersion: wantsVersion)
        guard case .command(let command) = request else { return }
        if command.words == nil, let word = words.first {
            throw Mistake("unexpected “\(Text.shown(word, atMost: 60))”: `\(command.name)` takes options only")
        }
        claimSettings(for: command)
        try checkOwnOptions(of: command)
    }

    private func request(
        _ command: Command?, wantsHelp: Bool, wantsVersion: Bool
    ) throws(Mistake) -> Wish {
        if wantsHelp { return .help(command.map { .command($0, words.isEmpty ? nil : action(of: $0)) } ?? .everything) }
        if wantsVersion { return .version }
        guard let command else { throw Mistake("which command? One of: \(commands.names.joined(separator: ", "))") }
        return .command(command)
    }

    /// The topic that the words after `help` name.
    private func topic() throws(Mistake) -> HelpTopic {
        guard let word = words.first, words != ["help"] else { return .everything }
        if words.count == 2, let command = commands.named(word), !command.actions.isEmpty {
            if let action = command.actions.first(where: { $0.name == words[1] }) { return .command(command, action) }
            throw Self.unknown("\(word) command", words[1], among: command.actions.map(\.name))
        }
        guard words.count == 1 else { throw Mistake("help takes one command, like `apod-mirror help sync`") }
        if word == "settings" { return .settings }
        if let command = commands.named(word) { return .command(command) }
        throw Self.unknown("topic", word, among: commands.names + ["settings"])
    }

    private func command(_ word: String) throws(Mistake) -> Command {
        if let command = commands.named(word) { return command }
        throw Self.unknown("command", word, among: commands.names)
    }

    /// Suggests the name that was probably meant, or lists all.
    static func unknown(_ kind: String, _ word: String, among names: [String]) -> Mistake {
        let hint = Spelling.nearest(to: word, among: names).map { "did you mean \($0)?" }
        let all = "choose one of: \(names.joined(separator: ", "))"
        return Mistake("unknown \(kind) “\(Text.shown(word, atMost: 60))”; \(hint ?? all)")
    }

    /// Takes `--key value` or `--key=value`. Whether the command has it is checked later: options may come first.
    private mutating func read(
        option word: String, of command: Command?, _ rest: inout ArraySlice<String>
    ) throws(Mistake) {
        let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        let own = commands.flatMap(\.options).filter { $0.name == name }
        if word.hasPrefix("--"), own.contains(where: { $0.value == nil }), parts.count == 1 {
            options[name] = [""]
            return
        }
        let isSetting = Setting.all.contains { $0.key == name }
        guard word.hasPrefix("--"), isSetting || own.contains(where: { $0.value != nil }) || name == "config" else {
            throw Mistake("unknown option \(Text.shown(word, atMost: 60))\(hint(for: name, of: command))")
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
        let own = command.options.map(\.name)
        for (key, value) in settings where own.contains(key) { options[key, default: []].append(value) }
        settings.removeAll { own.contains($0.key) }
    }

    private func checkOwnOptions(of command: Command) throws(Mistake) {
        let action = action(of: command)
        let name = [command.name, action?.name].compactMap(\.self).joined(separator: " ")
        if let option = Set(options.keys).subtracting(Self.options(of: command, action)).min() {
            throw Mistake("\(name) has no option --\(option)\(Self.list(of: command, action))")
        }
        if let (key, value) = settings.first(where: { !command.settings.contains($0.key) }) {
            let setting = Text.shown("\(key) = \(value)", atMost: 60)
            let hint = "\(key) is a setting: write `\(setting)` into the settings file"
            throw Mistake("\(name) has no option --\(key)\(Self.list(of: command, action)). \(hint)")
        }
    }

    /// nil if there is none, or the first word names none.
    private func action(of command: Command) -> Command.Subcommand? {
        command.actions.first { $0.name == words.first ?? command.actions[0].name }
    }

    /// The command's own options, or those of one action.
    private static func options(of command: Command, _ action: Command.Subcommand?) -> [String] {
        action?.options ?? command.options.map(\.name)
    }

    /// Suggests the option that was probably meant, or lists all of the command.
    private func hint(for name: String, of command: Command?) -> String {
        let action = words.isEmpty ? nil : command.flatMap(action)
        let own = command.map { Self.options(of: $0, action) } ?? commands.flatMap { $0.options.map(\.name) }
        let known = (command?.settings ?? Setting.all.map(\.key)) + own + ["config", "help", "version"]
        let nearest = Spelling.nearest(to: name, among: known.sorted())
        return nearest.map { "; did you mean --\($0)?" } ?? command.map { Self.list(of: $0, action) } ?? ""
    }

    private static func list(of command: Command, _ action: Command.Subcommand?) -> String {
        let takesAll = command.takesAllSettings
        let names = options(of: command, action) + (takesAll ? [] : command.settings) + ["config"]
        let options = names.map { "--\($0)" } + (takesAll ? ["and every setting as an option"] : [])
        return "; it takes \(options.joined(separator: ", "))"
    }
}

enum HelpTopic {
    case everything, settings
    case command(Command, Command.Subcommand? = nil)
}

/// How a command lists days.
enum DayListing: String {
    case titles
    /// Titles, each with the text around the words found.
    case excerpts
    case paths
    case json
}
