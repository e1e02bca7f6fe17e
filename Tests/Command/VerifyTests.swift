import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite("verify", .serialized) struct VerifyTests {
    private let keys = ["checked", "damaged", "missing", "repaired"]

    /// A mirror of four days in which much has gone wrong: a bit in one file, another file, and a JSON file lost.
    private func damaged() async throws -> (home: Household, files: [String]) {
        let home = try Household(days: 4)
        #expect(try await home.sync().status == 0)
        let files = try await home.files()
        #expect(files.count == 8)
        let script = """
            cd '\(home.root)' && printf x | dd of="$(ls -d 2019/04/2019-04-27*.jpg)" bs=1 seek=3000 conv=notrunc 2>&1 &&
            rm 2019/04/2019-04-28*.jpg 2019/04/2019-04-29*.json
            """
        #expect(try await home.shell(script).status == 0)
        return (home, files)
    }

    private func numbers(_ outcome: Program.Outcome) throws -> [Int?] {
        let json = try outcome.json()
        return keys.map { json[$0]?.integer }
    }

    @Test("says that it could not look, and calls nothing damaged, where there are too few open files")
    func shortage() async throws {
        let home = try Household(days: 4)
        #expect(try await home.sync().status == 0)
        var ends = 0
        for count in 8...24 {
            let outcome = try await home.shell("ulimit -n \(count); \"$1\" verify \"${@:2}\"")
            #expect(!outcome.errors.contains("is damaged") && !outcome.errors.contains("--repair"), "\(outcome)")
            if outcome.status == 0 { break }
            if outcome.errors.contains("Too many open files") { ends += 1 }
        }
        #expect(ends > 0)
    }

    @Test("names what is damaged and missing, and what helps")
    func finds() async throws {
        let (home, files) = try await damaged()
        let outcome = try await home.run("verify")
        #expect(outcome.status == 1)
        let lines = Set(outcome.errors.split(separator: "\n").map(String.init))
        #expect(
            lines == [
                "apod-mirror: \(home.root)/\(files[0]) is damaged", "apod-mirror: \(home.root)/\(files[2]) is missing",
                "apod-mirror: \(home.root)/\(files[5]) is missing",
                "apod-mirror: `apod-mirror verify --repair` fetches them again",
            ])
        #expect(outcome.output.hasSuffix(", 1 damaged, 2 missing\n"))
        let json = try await home.run("verify", "--json")
        #expect(json.status == 1)
        #expect(try numbers(json) == [8, 1, 2, 0])
    }

    @Test("says of a day whose text alone it has fetched again that this is what is new")
    func text() async throws {
        let home = try Household([TestSupport.Entry(Household.newest, title: "A Lantern")])
        #expect(try await home.sync().status == 0)
        #expect(unlink("\(home.root)/2019/04/2019-04-30 A Lantern.json") == 0)
        #expect(try await home.run("verify").errors.hasSuffix("`apod-mirror verify --repair` fetches it again\n"))
        let repair = try await home.run("verify", "--repair")
        #expect(
            repair.status == 0 && repair.output.contains("2019-04-30 A Lantern (only its text is new)\n"), "\(repair)"
        )
    }

    @Test("tells `status` what it has found, until the next check", arguments: [false, true])
    func remembered(besideService: Bool) async throws {
        let attendance = try await Attendance(days: 4)
        let home = attendance.household
        if besideService { try await attendance.rested() }
        func damaged() async throws -> Int? {
            try await home.run("status", "--json").json().conditions("damaged").first?["count"]?.integer ?? 0
        }
        #expect(try await home.run("verify").status == 0)
        #expect(try await damaged() == 0)
        #expect(try await !home.run("status").output.contains("damaged"))
        func blow(_ script: String) async throws {
            #expect(try await home.shell("cd '\(home.root)/2019/04' && \(script)").status == 0)
        }
        try await blow("mkdir ../../kept && cp -p *-27*.jpg ../../kept && truncate -s -100 *-27*.jpg *-28*.jpg")
        try await blow("mkdir ../../moved && mv *-29*.jpg ../../moved")
        #expect(try await damaged() == 0)
        #expect(try await home.run("verify").status == 1)
        let status = try await home.run("status")
        #expect(status.output.contains("\n3 files damaged or missing, found 20"), "\(status)")
        #expect(status.output.contains("; `apod-mirror verify --repair` fetches what it can again\n"), "\(status)")
        // One comes back by hand, one from a backup, one from the upstream.
        try await blow("mv ../../moved/* . && mv ../../kept/* .")
        #expect(try await damaged() == 3)
        #expect(try await home.run("verify").status == 1)
        #expect(try await home.run("status").output.contains("\n1 file damaged or missing"))
        #expect(try await home.run("verify", "--repair").status == 0)
        #expect(try await damaged() == 0)
        #expect(try await !home.run("status").output.contains("damaged"))
        // What is found again is told again, though `sync` mends it.
        try await blow("rm *-30*.jpg")
        #expect(try await home.run("verify").status == 1)
        #expect(try await damaged() == 1)
        #expect(try await home.run("sync", "2019-04-30").status == 0)
        #expect(try await damaged() == 1)
        #expect(try await home.run("verify").status == 0)
        #expect(try await damaged() == 0)
        #expect(try attendance.catalog().verifyFindings() == nil)
    }

    @Test("repairs", arguments: [false, true])
    func repairs(asJSON: Bool) async throws {
        let (home, files) = try await damaged()
        let outcome = try await home.run("verify", "--repair", asJSON ? "--json" : "rate=0")
        #expect(outcome.status == 0)
        if asJSON {
            #expect(try numbers(outcome) == [8, 1, 2, 3])
        } else {
            #expect(outcome.output.hasSuffix(", 1 damaged, 2 missing, 3 repaired\n"))
            let damaged = "\(home.root)/\(files[0]) was damaged, and was fetched again"
            #expect(outcome.output.contains("\n\(damaged)\n"), "\(outcome)")
            for file in [files[2], files[5]] {
                #expect(outcome.output.contains("\n\(home.root)/\(file) was missing, and was fetched again\n"))
            }
            #expect(outcome.errors.isEmpty)
        }
        #expect(try await home.files() == files)
        #expect(try await home.run("verify").status == 0)
    }

    @Test("that repairs puts the favorites in order with what is there again")
    func favorites() async throws {
        let home = try Household(days: 3)
        #expect(try await home.sync().status == 0)
        let script = "cd '\(home.root)' && rm 2019/04/2019-04-28*.jpg && mv 2019/04/2019-04-29*.jpg favorites/mine.jpg"
        #expect(try await home.shell(script).status == 0)
        let outcome = try await home.run("verify", "--repair")
        #expect(outcome.status == 0 && outcome.output.hasSuffix(", 2 repaired\n"), "\(outcome)")
        let target = TestSupport.target(of: "\(home.root)/favorites/mine.jpg")
        #expect(target?.hasPrefix("../2019/04/2019-04-29 ") == true)
        #expect(try await home.run("verify").status == 0)
    }

    @Test("leaves what cannot be repaired as it is, and says so")
    func beyondRepair() async throws {
        let (home, files) = try await damaged()
        home.nasa.intercept = { $0.path.contains("190427_") ? .html(404) : nil }
        let outcome = try await home.run("verify", "--repair")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("2019-04-27 failed: not there (404): \(home.nasa.origin)/"))
        #expect(outcome.output.hasSuffix(", 2 repaired\n"))
        #expect(try await home.run("status", "--json").json().conditions("damaged").first?["count"]?.integer == 1)
        #expect(outcome.errors.contains("apod-mirror: \(home.root)/\(files[0]) is damaged; it could not be repaired\n"))
        #expect(!outcome.output.contains("\(files[0]) was damaged"))
        #expect(outcome.output.contains("\n\(home.root)/\(files[2]) was missing, and was fetched again\n"))
        let after = try await home.run("verify")
        #expect(after.status == 1 && after.errors.hasPrefix("apod-mirror: \(home.root)/\(files[0])"))
    }

    @Test("says that not all is well as long as something cannot be entered")
    func beyondEntering() async throws {
        let home = try Household(days: 1)
        #expect(try await home.sync().status == 0)
        let name = "2019/04/2019-04-12 Whatever.json"
        try home.write("{}", to: "APOD/\(name)")
        for words in [["verify"], ["verify", "--repair"]] {
            let outcome = try await Program.run(
                Household.program, home.words(words), environment: home.environment, limit: .seconds(20))
            #expect(outcome.status == 1 && outcome.errors.contains("\(name) is not in the catalog"), "\(words)")
        }
    }

    @Test("repairs what cannot be read, though it is there")
    func unreadable() async throws {
        let home = try Household(days: 2)
        #expect(try await home.sync().status == 0)
        let picture = try #require(try await home.files().first { $0.hasSuffix(".jpg") })
        // As root, who may read everything, without that right.
        let drop = getuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : "env"
        #expect(chmod("\(home.root)/\(picture)", 0) == 0)
        let finds = try await home.shell("exec \(drop) \"$@\"", "verify")
        #expect(finds.status == 1 && finds.output.hasSuffix(", 1 damaged, 0 missing\n"), "\(finds)")
        #expect(finds.errors.contains("\(picture)") && finds.errors.contains("Permission denied"), "\(finds.errors)")
        let repairs = try await home.shell("exec \(drop) \"$@\"", "verify", "--repair")
        #expect(repairs.status == 0 && repairs.output.hasSuffix(", 1 repaired\n"), "\(repairs)")
        #expect(try await home.shell("exec \(drop) \"$@\"", "verify").status == 0)
    }

    @Test("works with a catalog that is damaged")
    func catalog() async throws {
        let home = try Household(days: 3)
        #expect(try await home.sync().status == 0)
        let files = try await home.files()
        let script = "cd '\(home.root)/.apod-mirror' && rm -f *-wal *-shm && echo nonsense >catalog.sqlite"
        #expect(try await home.shell(script).status == 0)
        let status = try await home.run("status")
        #expect(status.status == 1)
        #expect(status.errors.contains("sync") && status.errors.contains(home.root))
        let pictures = home.nasa.requests.count { $0.path.hasSuffix(".jpg") }
        let sync = try await home.sync()
        #expect(sync.status == 0 && sync.output.hasSuffix("nothing new\n"))
        #expect(home.nasa.requests.count { $0.path.hasSuffix(".jpg") } == pictures)
        #expect(try await home.files() == files)
        #expect(try await home.run("verify").output.hasPrefix("6 files checked"))
        // Who repairs is told that there is another.
        #expect(try await home.shell("rm '\(home.root)'/.apod-mirror/catalog*").status == 0)
        let repair = try await home.run("verify", "--repair")
        #expect(repair.status == 0 && repair.output.hasPrefix("6 files checked, "), "\(repair)")
        #expect(repair.errors == "apod-mirror: made a new catalog from the 3 days in \(home.root)\n")
        #expect(try await home.run("verify", "--repair").errors.isEmpty)
    }
}
