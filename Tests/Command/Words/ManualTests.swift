import Apod
import Configuration
import Files
import Service
import Store
import TestSupport
import Testing

@testable import apod_mirror

struct ManualTests {
    static let folder = "\(Places.packageRoot)/systemd"
    private static let commands = Main.commands.names
    private static let actions = FavoritesCommand.command.actions.map(\.name)
    private static let settings = Setting.all.map(\.key)
    private static let own = Set(Main.commands.flatMap(\.options).map(\.name) + ["config", "help", "version"])

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

    @Test(
        "The manual explains every command, setting and event, and no other")
    func manual() throws {
        #expect(Self.items(in: try Self.section("DESCRIPTION")) == Self.commands)
        #expect(Self.items(in: try Self.section("SETTINGS")) == Self.settings)
        #expect(Self.items(in: try Self.section("JOURNAL")) == JournalEntry.EventName.allCases.map(\.rawValue))
    }

    @Test("The manual names all that the status tells programs")
    func keys() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        let keys = try await home.json("status").members?.keys.sorted() ?? []
        let text = try Self.text("apod-mirror.1")
        let named = Set(
            text.matches(of: #/Va ([a-z_ ,]+)/#).flatMap { $0.1.split { " ,".contains($0) } }.map(String.init))
        #expect(keys.count > 20 && keys.filter { !named.contains($0) } == [])
    }

    @Test("The manual names every option and action, and no option that there is not")
    func options() throws {
        let text = try Self.text("apod-mirror.1")
        let named = Set(text.matches(of: #/Fl -([a-z-]+)/#).map { String($0.1) })
        #expect(named.isSuperset(of: Self.own))
        #expect(named.isSubset(of: Self.own.union(Self.settings)))
        let words = try Set(Self.section("SYNOPSIS").split(whereSeparator: { !$0.isLetter }).map(String.init))
        #expect(words.isSuperset(of: Self.actions))
    }

    @Test(
        "The manual tells the defaults",
        arguments: Setting.all.map(\.key).filter { !["root", "state"].contains($0) })
    func defaults(key: String) throws {
        let setting = try #require(Setting.all.first { $0.key == key })
        let value = setting.show(Settings(root: "/"))
        let item = try #require(
            Self.section("SETTINGS").split(separator: ".It Cm ").first { $0.hasPrefix("\(key)\n") })
        let words = item.replacing(#/\n(\.[A-Z][a-z] )?/#, with: " ")
        #expect(words.contains("Default: \(value.hasSuffix("/") ? String(value.dropLast()) : value)"))
    }

    @Test("The manual and the help name the known lists, and the manual their fields")
    func lists() throws {
        let words = try Set(Self.section("SETTINGS").split { $0.isWhitespace || ",:".contains($0) }.map(String.init))
        #expect(words.isSuperset(of: PictureList.Field.allCases.map(\.rawValue)))
        let known = PictureList.known.map { "\($0.name)" }
        #expect(words.isSuperset(of: known))
        let help = Help.text(on: .settings, of: Main.commands)
        #expect(known.allSatisfy(help.contains))
    }

    enum Shell: String, CaseIterable {
        case bash, fish, zsh

        static let installed = allCases.filter { exists("/usr/bin/\($0)") }

        /// Prints what Tab offers at the end of the words after the folder.
        var script: String {
            switch self {
            case .bash:
                """
                . "$0/completions/apod-mirror.bash"; compopt() { :; }
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _apod_mirror; printf '%s\\n' "${COMPREPLY[@]}"
                """
            case .fish: "source $argv[1]/completions/apod-mirror.fish; complete -C \"$argv[2..]\""
            case .zsh:
                """
                compadd() { print -rl -- ${@:#--} }; _describe() { print -rl -- ${(P)@[-1]} }
                words=("$@"); CURRENT=$#words; source "$0/completions/_apod-mirror"
                """
            }
        }
    }

    private func offered(_ words: String..., by shell: Shell = .bash) async throws -> Set<String> {
        let program = FileSystem.parent(of: CommandSandbox.program)!
        let outcome = try await Program.run(
            "/usr/bin/\(shell)", ["-c", shell.script, Self.folder, "apod-mirror"] + words,
            environment: ["PATH": "\(program):/usr/bin:/bin", "HOME": "/nonexistent"])
        outcome.succeeds(errors: "")
        return Set(outcome.lines.map { String($0.prefix { !"\t:".contains($0) }) }).subtracting([""])
    }

    @Test(
        "A shell offers every command, and each command's options",
        arguments: Shell.installed)
    func commands(shell: Shell) async throws {
        #expect(try await offered("", by: shell) == Set(Self.commands))
        #expect(try await offered("help", "", by: shell) == Set(Self.commands + ["settings"]))
        #expect(try await offered("favorites", "", by: shell) == Set(Self.actions))
        let all = Set((Self.settings + ["config", "help", "version"]).map { "--\($0)" })
        #expect(try await offered("--", by: shell) == all)
        #expect(try await offered("config", "--pictures", "", by: shell) == ["original", "screen"])
        // The others take as long as bash, and read the same help.
        for command in Main.commands where shell == .bash || ["sync", "favorites", "config"].contains(command.name) {
            let options = command.settings + command.options.map(\.name) + ["config", "help"]
            #expect(try await offered(command.name, "--", by: shell) == Set(options.map { "--\($0)" }))
        }
    }

    @Test(
        "A shell offers a setting's values",
        arguments: Setting.all.map(\.key).filter { $0 != "since" })
    func values(key: String) async throws {
        let setting = try #require(Setting.all.first { $0.key == key })
        // What is written in capitals stands for many.
        let choices = Set(setting.value.split(separator: "|").map(String.init).filter { $0 != $0.uppercased() })
        for value in choices { #expect(setting.canRead(value)) }
        if ["root", "state"].contains(key) { return }
        #expect(try await offered("config", "--\(key)", "") == choices)
        #expect(try await offered("--\(key)", "=", "") == choices)
    }
}
