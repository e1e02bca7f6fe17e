import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct VerifyTests {
    private let keys = ["checked", "damaged", "missing", "repaired"]

    /// A mirror of four days in which much has gone wrong: a bit in one file, another file, and a JSON file lost.
    private func damaged() async throws -> (home: CommandSandbox, files: [String]) {
        let home = try await CommandSandbox(days: 4).synced()
        let files = try await home.files()
        #expect(files.count == 8)
        let script = """
            cd '\(home.root)' && printf x | dd of="$(ls -d 2019/04/2019-04-27*.jpg)" bs=1 seek=3000 conv=notrunc 2>&1 &&
            rm 2019/04/2019-04-28*.jpg 2019/04/2019-04-29*.json
            """
        try await home.shell(script).succeeds()
        return (home, files)
    }

    private func numbers(_ outcome: Program.Outcome) throws -> [Int?] {
        let json = try outcome.json()
        return keys.map { json[$0]?.integer }
    }

    @Test("verify says that it could not look, and calls nothing damaged, where there are too few open files")
    func shortage() async throws {
        let home = try await CommandSandbox(days: 4).synced()
        var ends = 0
        for count in 8...24 {
            let outcome = try await home.shell("ulimit -n \(count); \"$1\" verify \"${@:2}\"")
            outcome.says(errors: .without("is damaged"), .without("--repair"))
            if outcome.status == 0 { break }
            if outcome.errors.contains("Too many open files") { ends += 1 }
        }
        #expect(ends > 0)
    }

    @Test("verify names what is damaged and missing, and what helps")
    func finds() async throws {
        let (home, files) = try await damaged()
        let outcome = try await home.run("verify")
        outcome.fails()
        let lines = Set(outcome.complaints.map(String.init))
        #expect(
            lines == [
                "apod-mirror: \(home.root)/\(files[0]) is damaged", "apod-mirror: \(home.root)/\(files[2]) is missing",
                "apod-mirror: \(home.root)/\(files[5]) is missing",
                "apod-mirror: `apod-mirror verify --repair` fetches them again",
            ])
        #expect(outcome.output.hasSuffix(", 1 damaged, 2 missing\n"))
        let json = try await home.run("verify", "--json")
        json.fails()
        #expect(try numbers(json) == [8, 1, 2, 0])
    }

    @Test("verify says of a day whose text alone it has fetched again that this is what is new")
    func text() async throws {
        let home = try await CommandSandbox([Entry(CommandSandbox.newest, title: "A Lantern")]).synced()
        #expect(unlink(home["2019/04/2019-04-30 A Lantern.json"]) == 0)
        #expect(try await home.run("verify").errors.hasSuffix("`apod-mirror verify --repair` fetches it again\n"))
        try await home.run("verify", "--repair").succeeds(
            output: .containing("2019-04-30 A Lantern (only its text is new)\n"))
    }

    @Test("verify tells `status` what it has found, until the next check", arguments: [false, true])
    func remembered(besideService: Bool) async throws {
        let mirror = try await ServiceSandbox(days: 4)
        let home = mirror.sandbox
        if besideService { try await mirror.rested() }
        func damaged() async throws -> Int? {
            try await home.json("status").conditions("damaged").first?["count"]?.integer ?? 0
        }
        try await home.run("verify").succeeds()
        #expect(try await damaged() == 0)
        #expect(try await !home.run("status").output.contains("damaged"))
        func blow(_ script: String) async throws {
            try await home.shell("cd '\(home.root)/2019/04' && \(script)").succeeds()
        }
        try await blow("mkdir ../../kept && cp -p *-27*.jpg ../../kept && truncate -s -100 *-27*.jpg *-28*.jpg")
        try await blow("mkdir ../../moved && mv *-29*.jpg ../../moved")
        #expect(try await damaged() == 0)
        try await home.run("verify").fails()
        let status = try await home.run("status")
        status.says(
            output: .containing("\n3 files damaged or missing, found 20"),
            .containing(":\n  `apod-mirror verify --repair`"))
        // One comes back by hand, one from a backup, one from the upstream.
        try await blow("mv ../../moved/* . && mv ../../kept/* .")
        #expect(try await damaged() == 3)
        try await home.run("verify").fails()
        #expect(try await home.run("status").output.contains("\n1 file damaged or missing"))
        try await home.run("verify", "--repair").succeeds()
        #expect(try await damaged() == 0)
        #expect(try await !home.run("status").output.contains("damaged"))
        // What is found again is told again, though `sync` mends it.
        try await blow("rm *-30*.jpg")
        try await home.run("verify").fails()
        #expect(try await damaged() == 1)
        try await home.run("sync", "2019-04-30").succeeds()
        #expect(try await damaged() == 1)
        try await home.run("verify").succeeds()
        #expect(try await damaged() == 0)
        #expect(try mirror.catalog().verifyFindings() == nil)
    }

    @Test("verify that repairs puts the favorites in order with what is there again")
    func favorites() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        let script = "cd '\(home.root)' && rm 2019/04/2019-04-28*.jpg && mv 2019/04/2019-04-29*.jpg favorites/mine.jpg"
        try await home.shell(script).succeeds()
        try await home.run("verify", "--repair").succeeds(output: .ending(", 2 repaired\n"))
        let target = TestSupport.target(of: home["favorites/mine.jpg"])
        #expect(target?.hasPrefix("../2019/04/2019-04-29 ") == true)
        try await home.run("verify").succeeds()
    }

    @Test("verify leaves what cannot be repaired as it is, and says so")
    func beyondRepair() async throws {
        let (home, files) = try await damaged()
        home.nasa.answer("190427_", .html(404))
        let outcome = try await home.run("verify", "--repair")
        outcome.fails(
            output: .ending(", 2 repaired\n"),
            errors: .containing("2019-04-27 failed: not there (404): \(home.nasa.origin)/"))
        #expect(try await home.json("status").conditions("damaged").first?["count"]?.integer == 1)
        outcome.says(
            output: .without("\(files[0]) was damaged"),
            .containing("\n\(home.root)/\(files[2]) was missing, and was fetched again\n"),
            errors: .containing("apod-mirror: \(home.root)/\(files[0]) is damaged; it could not be repaired\n"))
        try await home.run("verify").fails(errors: .starting("apod-mirror: \(home.root)/\(files[0])"))
    }

    @Test(
        "verify repairs what cannot be read, though it is there, also where it is somebody else's",
        arguments: [("jpg", false), ("json", false), ("json", true)])
    func unreadable(suffix: String, isOthers: Bool) async throws {
        let home = try await CommandSandbox(days: 2).synced()
        let file = try #require(try await home.files(suffix).first)
        let drop = CommandSandbox.unprivileged
        #expect(chmod(home[file], 0) == 0)
        if isOthers, geteuid() == 0 { #expect(chown(home[file], 65_534, 65_534) == 0) }
        try await home.shell("exec \(drop) \"$@\"", "verify").fails(
            output: .ending(", 1 damaged, 0 missing\n"), errors: .containing("\(file)"),
            .containing("Permission denied"))
        try await home.shell("exec \(drop) \"$@\"", "verify", "--repair").succeeds(output: .ending(", 1 repaired\n"))
        try await home.shell("exec \(drop) \"$@\"", "verify").succeeds()
    }

    @Test(
        "verify names what cannot be read of a former version, and does not say that it can be repaired",
        arguments: ["jpg", "json"])
    func unreadableFormer(suffix: String) async throws {
        let home = try await CommandSandbox([Entry(CommandSandbox.newest, title: "A Lantern")]).synced()
        home.nasa[CommandSandbox.newest]?.media = .picture(.png)
        try await home.run("sync", "\(CommandSandbox.newest)").succeeds()
        let file = "replaced/apod/2019-04-30 A Lantern/1/2019-04-30 A Lantern.\(suffix)"
        try await home.shell("chmod 0 '\(home.root)/.apod-mirror/\(file)'").succeeds()
        try await home.shell("exec \(CommandSandbox.unprivileged) \"$@\"", "verify").fails(
            output: .ending(", 1 damaged, 0 missing\n"),
            errors: .containing("/\(file) is damaged; NASA has replaced it"), .without("--repair"))
    }

    @Test("verify works with a catalog that is damaged")
    func catalog() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        let files = try await home.files()
        let script = "cd '\(home.root)/.apod-mirror' && rm -f *-wal *-shm && echo nonsense >catalog.sqlite"
        try await home.shell(script).succeeds()
        try await home.run("status").fails(errors: .containing("sync"), .containing(home.root))
        let pictures = home.nasa.requests.count { $0.path.hasSuffix(".jpg") }
        try await home.sync().succeeds(output: .ending("nothing new\n"))
        #expect(home.nasa.requests.count { $0.path.hasSuffix(".jpg") } == pictures)
        #expect(try await home.files() == files)
        #expect(try await home.run("verify").output.hasPrefix("6 files checked"))
        // Who repairs is told that there is another.
        try await home.shell("rm '\(home.root)'/.apod-mirror/catalog*").succeeds()
        let repair = try await home.run("verify", "--repair")
        repair.succeeds(
            output: .starting("6 files checked, "),
            errors: "apod-mirror: made a new catalog from the 3 days in \(home.root)\n")
        #expect(try await home.run("verify", "--repair").errors.isEmpty)
    }
}
