import Apod
import Archive
import Configuration
import Syncing

/// The sub-commands.
enum Command: String, CaseIterable {
    case run, sync, status, favorites, search, verify, prune, config

    /// It shows what is there, whatever else the settings say.
    var onlyShows: Bool { self == .status || self == .search }

    /// Options of its own, beside the settings, that take no value.
    var flags: [String] {
        switch self {
        case .status, .favorites: ["json"]
        case .verify: ["json", "repair"]
        case .sync, .prune: ["dry-run"]
        case .run, .search, .config: []
        }
    }

    /// Options of its own that take a value.
    var options: [String] {
        switch self {
        case .sync: ["until"]
        case .favorites: ["since"]
        case .run, .status, .search, .verify, .prune, .config: []
        }
    }

    /// What stands for the words behind it in `--help`; nil if it takes none.
    var words: String? {
        switch self {
        case .sync: "[DATE…]"
        case .search: "WORDS"
        case .favorites: "[list|add|remove|forget|history|restore] [DATE…]"
        case .run, .status, .verify, .prune, .config: nil
        }
    }
}

/// The command line, taken apart.
struct Usage {
    struct Mistake: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description + "\nSee apod-mirror --help." }
    }

    /// Whatever is wrong with an order was said on the command line.
    static func checking<Value>(_ work: () throws(SyncOrder.Mistake) -> Value) throws(Mistake) -> Value {
        do throws(SyncOrder.Mistake) { return try work() } catch { throw Mistake(error.description) }
    }

    enum Request {
        case help(Command?)
        case version
        case command(Command)
    }

    private(set) var request = Request.help(nil)
    private(set) var words: [String] = []
    private(set) var settings: [(key: String, value: String)] = []
    private(set) var configurationFile: String?
    private var flags: Set<String> = []
    private var options: [String: String] = [:]

    static func day(_ word: String) throws(Mistake) -> Day {
        if let day = Day(word) { return day }
        throw Mistake(
            "“\(Text.shown(word, atMost: 60))” is not a day of APOD's; write it as 2026-11-20, from 1995-06-16 on")
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    subscript(option: String) -> String? { options[option] }

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        var command: Command?
        var wantsHelp = arguments.isEmpty
        var wantsVersion = false
        while let word = rest.popFirst() {
            switch word {
            case "--":
                words += rest
                rest = []
            case "-h", "--help": wantsHelp = true
            case "--version": wantsVersion = true
            case let word where word.hasPrefix("-") && word.count > 1: try take(option: word, of: command, &rest)
            case let word where command == nil: command = try Self.command(word)
            default: words.append(word)
            }
        }
        request = try Self.request(command, wantsHelp: wantsHelp, wantsVersion: wantsVersion)
        guard case .command(let command) = request else { return }
        if command.words == nil, let word = words.first {
            throw Mistake("\(command.rawValue) takes no “\(Text.shown(word, atMost: 60))”")
        }
        claimSettings(for: command)
        try checkOwnOptions(of: command)
    }

    private static func request(
        _ command: Command?, wantsHelp: Bool, wantsVersion: Bool
    ) throws(Mistake) -> Request {
        if wantsHelp { return .help(command) }
        if wantsVersion { return .version }
        guard let command else { throw Mistake("which command? One of: \(names)") }
        return .command(command)
    }

    private static var names: String { Command.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func command(_ word: String) throws(Mistake) -> Command {
        if let command = Command(rawValue: word) { return command }
        let hint = Spelling.nearest(to: word, among: Command.allCases.map(\.rawValue)).map { "; did you mean \($0)?" }
        throw Mistake("unknown command “\(Text.shown(word, atMost: 60))”" + (hint ?? "; there are: \(names)"))
    }

    /// `--key value` or `--key=value`. Options may stand before the command, so which are its own is checked later.
    private mutating func take(
        option word: String, of command: Command?, _ rest: inout ArraySlice<String>
    ) throws(Mistake) {
        let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        if word.hasPrefix("--"), Self.allFlags.contains(name), parts.count == 1 {
            flags.insert(name)
            return
        }
        let isSetting = Setting.all.contains { $0.key == name }
        guard word.hasPrefix("--"), isSetting || Self.allOptions.contains(name) || name == "config" else {
            throw Mistake("unknown option \(Text.shown(word, atMost: 60))\(Self.hint(for: name))")
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
            options[name] = value
        }
    }

    /// An option of a command's own may be called like a setting.
    private mutating func claimSettings(for command: Command) {
        for (key, value) in settings where command.options.contains(key) { options[key] = value }
        settings.removeAll { command.options.contains($0.key) }
    }

    private func checkOwnOptions(of command: Command) throws(Mistake) {
        let foreign = flags.subtracting(command.flags).union(Set(options.keys).subtracting(command.options))
        if let option = foreign.min() { throw Mistake("\(command.rawValue) has no option --\(option)") }
    }

    private static var allFlags: Set<String> { Set(Command.allCases.flatMap(\.flags)) }
    private static var allOptions: Set<String> { Set(Command.allCases.flatMap(\.options)) }

    private static func hint(for name: String) -> String {
        let known = Setting.all.map(\.key) + allFlags + allOptions + ["config", "help", "version"]
        return Spelling.nearest(to: name, among: known.sorted()).map { "; did you mean --\($0)?" } ?? ""
    }
}
