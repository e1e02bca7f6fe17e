import Apod
import Glibc
import TestSupport
import Testing

@Suite("Another root for a running service")
struct RootChangeTests {
    /// As systemd starts it, and its settings name another root.
    private func moving(_ attendance: Attendance, to root: String) async throws -> Program {
        let runtime = attendance.household.folder.appending("run")
        mkdir(runtime, 0o755)
        mkdir("\(runtime)/apod-mirror", 0o755)
        let script = "export RUNTIME_DIRECTORY='\(runtime)/apod-mirror'; exec \"$@\""
        let program = try await attendance.start(by: script, saying: "watching ")
        try name(root, attendance)
        return program
    }

    private func name(_ root: String, _ attendance: Attendance) throws {
        let (home, own) = (attendance.household, "root = \(attendance.root)\n")
        let settings = try home.settings
        try home.set(settings.replacing(own, with: "root = \(root)\n"))
    }

    private func check(_ home: Household, _ variables: String = "") async throws -> Program.Outcome {
        let runtime = "XDG_RUNTIME_DIR='\(home.folder.appending("run"))'"
        return try await home.shell("exec env \(runtime) \(variables) \"$@\"", "config", "--check")
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
            let runtime = home.folder.appending("run")
            try await home.shell("exec env XDG_RUNTIME_DIR='\(runtime)' \"$@\"", command).fails(
                errors: "apod-mirror: \(words)\n")
        }
        // Of others, nobody knows what they are for.
        try await check(home, "MAINPID=1").succeeds()
        program.send(SIGHUP)
        try await program.complained("\(words); the settings stay as they are\n")
        let status = ["status", "--root", attendance.root]
        let refused = try await home.run(status).output
        #expect(
            refused.contains("\nsettings refused; correct them, then reload the service:\n  \(words)\n"), "\(refused)")
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
        try makeRuntime(home)
        let script = "\(Self.runtime(home)); exec \"$1\" run --config '\(settings)'"
        try await attendance.start(by: script, saying: "watching ")
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

    private func makeRuntime(_ home: Household) throws {
        for folder in ["run", "run/apod-mirror"] { #expect(mkdir(home.folder.appending(folder), 0o755) == 0) }
    }

    private static func runtime(_ home: Household) -> String {
        "export RUNTIME_DIRECTORY='\(home.folder.appending("run"))/apod-mirror'"
    }

    private func look(_ home: Household, _ command: String) async throws -> Program.Outcome {
        try await home.shell("exec env XDG_RUNTIME_DIR='\(home.folder.appending("run"))' \(command)")
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
        let check = try await check(home, "MAINPID=\(program.id)")
        let words = """
            the mirror in \(other) is gone, or its disk is not mounted, and the service keeps the one in \
            \(attendance.root): mount the disk, or correct `root`
            """
        check.fails(2, errors: .containing(words))
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
