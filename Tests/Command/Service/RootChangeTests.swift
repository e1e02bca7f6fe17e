import Apod
import Configuration
import Glibc
import TestSupport
import Testing

struct RootChangeTests {
    private func look(_ home: CommandSandbox, _ command: String, _ words: String...) async throws -> Program.Outcome {
        try await home.shell("exec env XDG_RUNTIME_DIR='\(home.folder.appending("run"))' \(command)", words)
    }

    @Test(
        "Another root for a running service is refused by a reload, like another folder for the catalog, and taken by a start",
        arguments: Setting.place)
    func restart(key: String) async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let home = mirror.sandbox
        let (settings, other) = (try home.settings, home.folder.appending("other"))
        let program = try await mirror.startInRuntime()
        let changed =
            key == "root" ? settings.replacing(mirror.root, with: other) : "\(settings)state = \(other)\n"
        try home.set(changed)
        let words = """
            \(home.configuration):\(key == "root" ? 1 : 5): a reload does not change `\(key)`; instead, stop the service \
            and start it again
            """
        try await look(home, "\"$@\"", "config", "--check").succeeds()
        try await look(home, "MAINPID=1 \"$@\"", "config", "--check").fails(
            2, output: "", errors: "apod-mirror: \(words)\nSee `apod-mirror help settings`.\n")
        // The service has not read these.
        let file = home.folder.appending("other.conf")
        try home.write(changed, to: "other.conf")
        try await look(home, "MAINPID=1 \"$1\" config --check --config '\(file)'").succeeds(errors: "")
        program.send(SIGHUP)
        try await program.complained("\(words); the settings stay as they are\n")
        let status = try await home.run("status", "--root", mirror.root, "--config", "/dev/null").unwrapped
        let advice = "correct them, then stop the service and start it again"
        #expect(status.contains("\nsettings refused: \(words) \(advice)\n"))
        try home.set(settings)
        try await look(home, "\"$@\"", "config", "--check").succeeds()
        #expect(access(other, F_OK) != 0)
        _ = try await mirror.stop()
        try home.set(changed)
        let began = try await mirror.start()
        #expect(began.outcome.errors.contains("began a new mirror in \(other)\n") == (key == "root"))
        #expect(access(other, F_OK) == 0)
        try await mirror.stop().succeeds()
    }

    @Test(
        "Another root for a running service is not known to one that keeps the former, and status says so",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func kept() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let home = mirror.sandbox
        let (other, settings) = (home.folder.appending("other"), home.folder.appending(".config/apod-mirror.conf"))
        try await home.sync("--root", other).succeeds()
        let units = home.folder.appending(".config/systemd/user/default.target.wants")
        let install = "mkdir -p '\(units)' && touch '\(units)/apod-mirror.service'"
        try await home.shell("\(install) && cp '\(home.configuration)' '\(settings)'").succeeds()
        try await mirror.startInRuntime("\"$1\" run --config '\(settings)'")
        func service() async throws -> Substring? {
            let script =
                "\(CommandSandbox.booted()) && XDG_RUNTIME_DIR='\(mirror.runtime)' exec \"$1\" status --config '\(settings)'"
            let status = try await home.privately(script, []).unwrapped
            return status.split(separator: "\n").first { $0.hasPrefix("service ") }
        }
        #expect(try await service() == "service       running")
        let text = try fileText(settings)
        let changed = text.replacing("root = \(mirror.root)\n", with: "root = \(other)\n")
        try home.write(changed, to: ".config/apod-mirror.conf")
        let advice = "after a change of `root`, `systemctl --user restart apod-mirror`"
        #expect(try await service() == "service       running, but keeps \(mirror.root); \(advice)")
        try await mirror.stop().succeeds()
    }

    @Test("Another root for a running service is told by a sync that begins a second mirror, once")
    func sync() async throws {
        let home = try CommandSandbox(days: 1)
        #expect(try await home.sync().errors == "")
        let other = home.folder.appending("other")
        let words = "apod-mirror: began a new mirror in \(other)\n"
        for errors in [words, ""] { #expect(try await home.sync("--root", other).errors == errors) }
    }
}
