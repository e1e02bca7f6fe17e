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

    @Test("finds nothing wrong with what is whole")
    func whole() async throws {
        let home = try Household(days: 2)
        #expect(try await home.sync().status == 0)
        let outcome = try await home.run("verify")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix("4 files checked, ") && outcome.output.hasSuffix(", 0 damaged, 0 missing\n"))
        let json = try await home.run("verify", "--json")
        #expect(json.status == 0 && json.errors.isEmpty)
        #expect(try numbers(json) == [4, 0, 0, 0])
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
            repair.status == 0 && repair.output.contains("\n2019-04-30 A Lantern (only its text is new)\n"), "\(repair)"
        )
    }

    @Test("tells `status` what it has found, until that is mended", arguments: [false, true])
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
        try await blow("mv ../../moved/* .")
        #expect(try await damaged() == 2)
        try await blow("mv ../../kept/* .")
        #expect(try await home.run("status").output.contains("\n1 file damaged or missing"))
        #expect(try await home.run("verify", "--repair").status == 0)
        #expect(try await damaged() == 0)
        #expect(try await !home.run("status").output.contains("damaged"))
        // What is found again is told again, and what nobody can find any more is not.
        try await blow("rm *-30*.jpg")
        #expect(try await home.run("verify").status == 1)
        #expect(try await damaged() == 1)
        #expect(try await home.run("sync", "2019-04-30").status == 0)
        #expect(try await damaged() == 0)
        #expect(try await home.run("verify").status == 0)
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

    /// Grey, 64 × 64 pixels. Nothing in it tells where it ends.
    private static let picture: [UInt8] = {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let tags = [
            (256, 3, 64), (257, 3, 64), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 122), (277, 3, 1), (278, 3, 64),
            (279, 4, 4096),
        ]
        let entries = tags.flatMap { number($0.0, 2) + number($0.1, 2) + number(1, 4) + number($0.2, 4) }
        let head = [0x49, 0x49, 0x2a, 0] + number(8, 4) + number(tags.count, 2) + entries + number(0, 4)
        return head + [UInt8](repeating: 128, count: 4096)
    }()

    @Test("tells of a picture that only its decoding shows to be cut off, and fetches it until another comes")
    func undecodable() async throws {
        let home = try Household(days: 2, gallery: "yes")
        func send(_ bytes: some Sequence<UInt8>) {
            let body = Body(Array(bytes))
            home.nasa.intercept = { $0.path.contains("190430_") ? .media(body, type: "image/tiff") : nil }
        }
        send(Self.picture.dropLast(2000))
        #expect(try await home.sync().status == 0)
        let file = try #require(try await home.files().first { $0.hasSuffix(".tif") })
        let finds = try await home.run("verify")
        #expect(finds.status == 1 && finds.output.hasSuffix(", 1 damaged, 0 missing\n"), "\(finds)")
        #expect(finds.errors.hasPrefix("apod-mirror: \(home.root)/\(file) is cut off or damaged: "), "\(finds)")
        let json = try await home.run("status", "--json").json()
        #expect(json["failed"]?.integer == 1 && json["incomplete"]?.integer == 0)
        let failed = json.conditions("failed")
        #expect(failed.map { $0["dates"]?.elements?.map(\.string) } == [["2019-04-30"]])
        #expect(failed.first?["failure"]?["code"]?.string == "undecodable")
        let same = try await home.run("verify", "--repair")
        #expect(same.status == 1 && same.errors.contains("; it could not be repaired"), "\(same)")
        #expect(try contents("\(home.root)/\(file)").count == Self.picture.count - 2000)
        send(Self.picture)
        let other = try await home.run("verify", "--repair")
        #expect(other.status == 0 && other.output.contains("cut off or damaged, and another was fetched\n"), "\(other)")
        #expect(try contents("\(home.root)/\(file)") == Self.picture)
        #expect(try await home.run("verify").status == 0)
        #expect(try await home.sync().output.contains("1 picture got thumbnails"))
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

    @Test("works without a catalog, and with one that is damaged", arguments: ["rm", "echo nonsense >"])
    func catalog(blow: String) async throws {
        let home = try Household(days: 3)
        #expect(try await home.sync().status == 0)
        let files = try await home.files()
        let script = "cd '\(home.root)/.apod-mirror' && rm -f *-wal *-shm && \(blow) catalog.sqlite"
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
    }

    @Test("that repairs says that it has made a new catalog")
    func newCatalog() async throws {
        let home = try Household(days: 3)
        #expect(try await home.sync().status == 0)
        #expect(try await home.shell("rm '\(home.root)'/.apod-mirror/catalog*").status == 0)
        let repair = try await home.run("verify", "--repair")
        #expect(repair.status == 0 && repair.output.hasPrefix("6 files checked, "), "\(repair)")
        #expect(repair.errors == "apod-mirror: made a new catalog from the 3 days in \(home.root)\n")
        #expect(try await home.run("verify", "--repair").errors.isEmpty)
    }
}
