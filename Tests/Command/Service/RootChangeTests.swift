import Apod
import Glibc
import TestSupport
import Testing

@Suite("Another root for a running service")
struct RootChangeTests {
    /// As systemd starts it, and its settings name another root.
    private func moving(_ attendance: Attendance, to root: String) async throws -> Program {
        let program = try await attendance.startInRuntime()
        let (home, own) = (attendance.household, "root = \(attendance.root)\n")
        try home.set(home.settings.replacing(own, with: "root = \(root)\n"))
        return program
    }

    private func look(_ home: Household, _ command: String, _ words: String...) async throws -> Program.Outcome {
        try await home.shell("exec env XDG_RUNTIME_DIR='\(home.folder.appending("run"))' \(command)", words)
    }

    private func check(_ home: Household, _ variables: String = "") async throws -> Program.Outcome {
        try await look(home, "\(variables) \"$@\"", "config", "--check")
    }

    @Test("is refused where there is no mirror, before a reload and with it, and nothing is begun there")
    func mistyped() async throws {
        let attendance = try await Attendance(days: 1)
        let home = attendance.household
        let other = home.folder.appending("APDO")
        let program = try await moving(attendance, to: other)
        let words = """
            \(home.configuration):1: there is no mirror in \(other), and the service keeps the one in \(attendance.root): \
            correct `root`. To begin a new mirror, stop the service and start it again
            """
        for variables in ["", "MAINPID=\(program.id)"] {
            try await check(home, variables).fails(
                2, output: "", errors: "apod-mirror: \(words)\nSee `apod-mirror help settings`.\n")
        }
        for command in ["sync", "status"] {
            try await look(home, "\"$@\"", command).fails(errors: "apod-mirror: \(words)\n")
        }
        program.send(SIGHUP)
        try await program.complained("\(words); the settings stay as they are\n")
        let status = ["status", "--root", attendance.root]
        let refused = try await home.run(status).output
        #expect(refused.contains("\nsettings refused; correct them, then reload the service:\n  \(words)\n"))
        try home.set(home.settings.replacing(other, with: attendance.root))
        try await check(home).succeeds()
        #expect(access(other, F_OK) != 0)
        try await attendance.stop().succeeds()
    }

    @Test("is not known to one that keeps the former, and status says so")
    func kept() async throws {
        let attendance = try await Attendance(days: 1)
        let home = attendance.household
        let (other, settings) = (home.folder.appending("other"), home.folder.appending(".config/apod-mirror.conf"))
        try await home.sync("--root", other).succeeds()
        let units = home.folder.appending(".config/systemd/user/default.target.wants")
        let install = "mkdir -p '\(units)' && touch '\(units)/apod-mirror.service'"
        try await home.shell("\(install) && cp '\(home.configuration)' '\(settings)'").succeeds()
        try await attendance.startInRuntime("\"$1\" run --config '\(settings)'")
        func service() async throws -> Substring? {
            let status = try await look(home, "\"$1\" status --config '\(settings)'")
            return status.lines.first { $0.hasPrefix("service ") }
        }
        #expect(try await service() == "service       running")
        let text = try fileText(settings)
        let changed = text.replacing("root = \(attendance.root)\n", with: "root = \(other)\n")
        try home.write(changed, to: ".config/apod-mirror.conf")
        let advice = "after a change of `root`, `systemctl --user restart apod-mirror`"
        #expect(try await service() == "service       running, but keeps \(attendance.root); \(advice)")
        try await attendance.stop().succeeds()
    }

    @Test("is nothing to a service that has not read these settings")
    func foreign() async throws {
        let attendance = try await Attendance(days: 1)
        let home = attendance.household
        let other = home.folder.appending("other")
        _ = try await moving(attendance, to: attendance.root)
        try home.write("root = \(other)\n", to: "other.conf")
        let file = home.folder.appending("other.conf")
        for words in ["--config '\(file)'", "--config '\(home.configuration)' --root '\(other)'"] {
            try await look(home, "\"$1\" config --check \(words)").succeeds(errors: "")
        }
        try await attendance.stop().succeeds()
    }

    @Test("is refused where a mirror was once, as long as the one that is kept is there")
    func onceThere() async throws {
        let attendance = try await Attendance(days: 1)
        let home = attendance.household
        let other = home.folder.appending("former")
        try await home.sync("--root", other).succeeds()
        try await home.shell("rm -r '\(other)'; mkdir '\(other)'").succeeds()
        let program = try await moving(attendance, to: other)
        let words = """
            the mirror in \(other) is gone, or its disk is not mounted, and the service keeps the one in \
            \(attendance.root): mount the disk, or correct `root`
            """
        try await check(home, "MAINPID=\(program.id)").fails(2, errors: .containing(words))
        try await attendance.stop().succeeds()
    }

    @Test("is gone to where the mirror was copied, or its folder was made, and a start begins one there")
    func meant() async throws {
        let attendance = try await Attendance(days: 1)
        let home = attendance.household
        let (copy, new) = (home.folder.appending("copy"), home.folder.appending("new"))
        let program = try await moving(attendance, to: copy)
        try await home.shell("cp -a '\(attendance.root)' '\(copy)'").succeeds()
        try await check(home, "MAINPID=\(program.id)").succeeds()
        program.send(SIGHUP)
        try await program.said("new settings for \(copy)\n")
        #expect(!program.outcome.errors.contains("new mirror"))
        _ = try await attendance.stop()
        try home.set(home.settings.replacing(copy, with: new))
        let began = try await attendance.start(saying: "watching \(new)")
        #expect(began.outcome.errors.contains("apod-mirror: began a new mirror in \(new)\n"))
        try await attendance.stop().succeeds()
    }

    @Test("is told by a sync that begins a second mirror, once")
    func sync() async throws {
        let home = try Household(days: 1)
        #expect(try await home.sync().errors == "")
        let other = home.folder.appending("other")
        let words = "apod-mirror: began a new mirror in \(other)\n"
        for errors in [words, ""] { #expect(try await home.sync("--root", other).errors == errors) }
    }
}
