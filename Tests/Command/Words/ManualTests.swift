import Apod
import Configuration
import Daemon
import TestSupport
import Testing

@testable import apod_mirror

@Suite("The manual and the completions") struct ManualTests {
    static let folder = "\(Places.packageRoot)/systemd"
    private static let commands = Command.names
    private static let actions = FavoritesCommand.command.actions.map(\.name)
    private static let settings = Setting.all.map(\.key)
    private static let own = Set(Command.all.flatMap(\.options).map(\.name) + ["config", "help", "version"])

    private static func text(_ name: String) throws -> String {
        try fileText("\(folder)/\(name)")
    }

    /// A section of the manual.
    private static func section(_ name: String) throws -> Substring {
        try #require(text("apod-mirror.1").split(separator: ".Sh ").first { $0.hasPrefix("\(name)\n") })
    }

    private static func items(in section: Substring) -> [String] {
        section.matches(of: #/\n\.It Cm ([a-z-]+)\n/#).map { String($0.1) }
    }

    @Test("the manual explains every command, every setting and every event, and no other")
    func manual() throws {
        #expect(Self.items(in: try Self.section("DESCRIPTION")) == Self.commands)
        #expect(Self.items(in: try Self.section("SETTINGS")) == Self.settings)
        #expect(Self.items(in: try Self.section("JOURNAL")) == Notice.Event.allCases.map(\.rawValue))
    }

    @Test("the manual names all that the status tells programs")
    func keys() async throws {
        let home = try await Household(days: 1).synced()
        let keys = try await home.json("status").members?.keys.sorted() ?? []
        let text = try Self.text("apod-mirror.1")
        let named = Set(
            text.matches(of: #/Va ([a-z_ ,]+)/#).flatMap { $0.1.split { " ,".contains($0) } }.map(String.init))
        #expect(keys.count > 20 && keys.filter { !named.contains($0) } == [])
    }

    @Test("the manual names every option and every action, and no option that there is not")
    func options() throws {
        let text = try Self.text("apod-mirror.1")
        let named = Set(text.matches(of: #/Fl -([a-z-]+)/#).map { String($0.1) })
        #expect(named.isSuperset(of: Self.own))
        #expect(named.isSubset(of: Self.own.union(Self.settings)))
        let words = try Set(Self.section("SYNOPSIS").split(whereSeparator: { !$0.isLetter }).map(String.init))
        #expect(words.isSuperset(of: Self.actions))
    }

    @Test(
        "the manual tells the defaults",
        arguments: Setting.all.map(\.key).filter { !["root", "state"].contains($0) })
    func defaults(key: String) throws {
        let setting = try #require(Setting.all.first { $0.key == key })
        let value = setting.show(Settings(root: "/"))
        let item = try #require(
            Self.section("SETTINGS").split(separator: ".It Cm ").first { $0.hasPrefix("\(key)\n") })
        let words = item.replacing(#/\n(\.[A-Z][a-z] )?/#, with: " ")
        #expect(words.contains("Default: \(value.hasSuffix("/") ? String(value.dropLast()) : value)"))
    }

    @Test("the README lists every command, and every setting with its default")
    func readme() throws {
        let text = try fileText("\(Places.packageRoot)/README.md")
        let rows = text.matches(of: #/\n\| `([a-z-]+)[^`|]*` \| (`([^`]+)` \|)?/#)
        let defaults = Dictionary(rows.compactMap { row in row.3.map { (String(row.1), String($0)) } }) { $1 }
        #expect(Set(rows.map { String($0.1) }).isSuperset(of: Self.commands + ["since"]))
        #expect(Set(defaults.keys) == Set(Self.settings).subtracting(["since"]))
        for setting in Setting.all where !["root", "since", "state"].contains(setting.key) {
            let value = setting.show(Settings(root: "/"))
            #expect(defaults[setting.key] == (value.hasSuffix("/") ? String(value.dropLast()) : value))
        }
    }

    /// What bash offers when Tab is pressed at the end of these words.
    private func offered(_ words: String..., by shell: String = "bash") async throws -> Set<String> {
        let bash = """
            . "$0/completions/apod-mirror.bash"; compopt() { :; }
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _apod_mirror; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let outcome = try await Program.run(
            "/bin/bash", ["-c", bash, Self.folder, "apod-mirror"] + words, environment: ["PATH": "/usr/bin:/bin"])
        outcome.succeeds(errors: "")
        return Set(outcome.lines.map(String.init))
    }

    @Test("bash offers every command, and each command's options")
    func bash() async throws {
        #expect(try await offered("") == Set(Self.commands))
        #expect(try await offered("favorites", "") == Set(Self.actions))
        #expect(try await offered("-") == Set((Self.settings + ["config", "help", "version"]).map { "--\($0)" }))
        for command in Command.all {
            let options = command.settings + command.options.map(\.name) + ["config", "help"]
            #expect(try await offered(command.name, "-") == Set(options.map { "--\($0)" }))
        }
    }

    @Test("bash offers a setting's values", arguments: Setting.all.map(\.key).filter { $0 != "since" })
    func values(key: String) async throws {
        let setting = try #require(Setting.all.first { $0.key == key })
        // What is written in capitals stands for many.
        let choices = setting.value.split(separator: "|").map(String.init).filter { $0 != $0.uppercased() }
        for value in try await offered("--\(key)", "=", "") where !["root", "state"].contains(key) {
            #expect(setting.canRead(value), "\(value)")
        }
        #expect(try await offered("config", "--\(key)", "").isSuperset(of: choices))
    }

    @Test("zsh and fish are told of the same", arguments: ["_apod-mirror", "apod-mirror.fish"])
    func others(name: String) throws {
        let text = try Self.text("completions/\(name)")
        let zsh = (option: #/'?--([a-z-]+)[=\['}]/#, command: #/\n +'([a-z]+):[a-z]/#)
        let fish = (option: #/complete [^\n]*-l ([a-z-]+)/#, command: #/\$commands" -a ([a-z-]+)/#)
        let patterns = name.hasSuffix(".fish") ? fish : zsh
        #expect(Set(text.matches(of: patterns.option).map { String($0.1) }) == Self.own.union(Self.settings))
        #expect(text.matches(of: patterns.command).map { String($0.1) } == Self.commands)
        for action in Self.actions { #expect(text.contains(action)) }
    }
}
