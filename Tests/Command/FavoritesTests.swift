import Apod
import Glibc
import TestSupport
import Testing

/// Programs do to the folder what they do, and the service hears of it from the system.
@Suite("run keeps the favorites true", .serialized)
struct FavoritesTests {
    private static func has(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }

    @Test("to links that are made, replaced, renamed, put into albums and taken away")
    func links() async throws {
        let watch = try await Attendance.watching()
        let (old, new) = (try watch.picture(1), try watch.picture(0))
        try await watch.shell("ln -s \"$NEW\" a")
        try await watch.listSays("2019-04-30: a")
        #expect(target(of: watch.path("a")) == "../\(new)")
        try await watch.shell("ln -sf \"$OLD\" a")
        try await watch.listSays("2019-04-29: a")
        try await watch.shell("mv a b; mkdir -p one/two; mv b one/two/c; mv one three")
        try await watch.listSays("2019-04-29: three/two/c")
        #expect(target(of: watch.path("three/two/c")) == "../../../\(old)")
        try await watch.shell("rm -r three")
        try await watch.listSays()
        #expect(try watch.watches == 2)
    }

    @Test("to a folder that rsync copies again and again", .enabled(if: has("rsync")))
    func rsync() async throws {
        let watch = try await Attendance.watching()
        let (old, new) = (try watch.picture(1), try watch.picture(0))
        try await watch.shell("mkdir -p $OUT/in/ner; ln -s \"$OLD\" $OUT/in/a; ln -s \"$NEW\" $OUT/in/ner/b")
        for _ in 1...2 {
            try await watch.shell("rsync -a $OUT/in .")
            try await watch.eventually {
                target(of: watch.path("in/a")) == "../../\(old)"
                    && target(of: watch.path("in/ner/b")) == "../../../\(new)"
            }
            try await watch.listSays("2019-04-29: in/a", "2019-04-30: in/ner/b")
        }
        try await watch.shell("rm $OUT/in/a; rsync -a --delete $OUT/in .")
        try await watch.listSays("2019-04-30: in/ner/b")
    }

    @Test(
        "to folders that come all at once",
        arguments: ["tar -C $OUT -c in | tar x", "cp -a $OUT/in .", "mv $OUT/in ."])
    func folders(script: String) async throws {
        let watch = try await Attendance.watching()
        try await watch.shell("mkdir -p $OUT/in/ner; ln -s \"$OLD\" $OUT/in/a; ln -s \"$NEW\" $OUT/in/ner/b")
        try await watch.shell(script)
        try await watch.listSays("2019-04-29: in/a", "2019-04-30: in/ner/b")
        try await watch.shell("ln -s \"$OLD\" in/ner/c")
        try await watch.listSays("2019-04-29: in/a, in/ner/c", "2019-04-30: in/ner/b")
        #expect(try watch.watches == 4)
    }

    @Test("to the branch that git checks out, and does not look into its own folder", .enabled(if: has("git")))
    func git() async throws {
        let watch = try await Attendance.watching()
        let (old, new) = (try watch.picture(1), try watch.picture(0))
        try await watch.shell(
            """
            export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_COMMITTER_NAME=a
            export GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_EMAIL=a@example.org
            git init -q -b dusk $OUT/repository; cd $OUT/repository
            ln -s '../../\(old)' both; ln -s both one; git add .; git commit -qm a
            git checkout -qb dawn; ln -sf '../../\(new)' both; git rm -q one; git add .; git commit -qm b
            git clone -q -b dawn . '\(watch.path("wall"))'
            """)
        try await watch.listSays("2019-04-30: wall/both")
        #expect(try watch.watches == 3)
        try await watch.shell("cd wall; git checkout -q dusk")
        try await watch.listSays("2019-04-29: wall/both, wall/one")
        // The link to a link has become one to the picture.
        try await watch.eventually { target(of: watch.path("wall/one")) == "../../\(old)" }
        try await watch.shell("cd wall; git checkout -q -f dawn; git diff --exit-code; git fsck --strict")
        try await watch.listSays("2019-04-30: wall/both")
    }

    @Test("to what is put into the trash and taken out of it")
    func trash() async throws {
        let watch = try await Attendance.watching()
        let new = try watch.picture(0)
        try await watch.shell("ln -s \"$OLD\" a; ln -s \"$NEW\" b; mkdir -p $OUT/Trash/files")
        try await watch.listSays("2019-04-29: a", "2019-04-30: b")
        // One is back at once, and it is as if nothing had been.
        try await watch.shell("mv a b $OUT/Trash/files; mv $OUT/Trash/files/a .")
        try await watch.listSays("2019-04-29: a")
        try await watch.shell("mv $OUT/Trash/files/b .")
        try await watch.listSays("2019-04-29: a", "2019-04-30: b")
        #expect(target(of: watch.path("b")) == "../\(new)")
    }

    @Test("to a copy that comes slowly, when it is whole", arguments: [false, true])
    func slowCopy(isAllocated: Bool) async throws {
        let watch = try await Attendance.watching()
        let new = try watch.picture(0)
        if isAllocated { try await watch.shell("truncate -r \"$NEW\" a.jpg") }
        let whole = try contents("\(watch.root)/\(new)")
        let first = try #require(Facts(watch.path("a.jpg")) ?? Facts("/"))
        try await watch.shell("dd if=\"$NEW\" of=a.jpg bs=10000 count=1 conv=notrunc status=none")
        try await watch.settled()
        let half = try contents(watch.path("a.jpg"))
        #expect(half.prefix(10_000) == whole.prefix(10_000) && half.count == (isAllocated ? whole.count : 10_000))
        if isAllocated { #expect(Facts(watch.path("a.jpg"))?.inode == first.inode) }
        try await watch.shell("dd if=\"$NEW\" of=a.jpg bs=10000 skip=1 seek=1 conv=notrunc status=none")
        try await watch.listSays("2019-04-30: a.jpg")
        try await watch.eventually { target(of: watch.path("a.jpg")) == "../\(new)" }
    }

    @Test("to a picture that is moved into them, which goes back to its place")
    func moved() async throws {
        let watch = try await Attendance.watching()
        let new = try watch.picture(0)
        let picture = "\(watch.root)/\(new)"
        let before = (try contents(picture), try #require(Facts(picture)).modified)
        try await watch.shell("mv \"$NEW\" mine.jpg")
        try await watch.eventually { target(of: watch.path("mine.jpg")) == "../\(new)" }
        try await watch.listSays("2019-04-30: mine.jpg")
        let after = (try contents(picture), try #require(Facts(picture)).modified)
        #expect(after == before)
        #expect(try await watch.household.run("verify").status == 0)
    }

    @Test("and leaves alone and names what is not the mirror's")
    func unrecognised() async throws {
        let watch = try await Attendance.watching()
        try await watch.shell(
            """
            mkfifo pipe pipe.desktop; cp "$NEW" a.jpg.part; cp "$NEW" a.jpg~; cp "$NEW" .goutputstream-ABC
            printf '[Dolphin]\\n' >.directory; head -c 20000 /dev/zero >own.jpg; ln -s pipe to-pipe
            """)
        let before = listing(watch.path("")).map { [$0, "\(Facts(watch.path($0))?.inode ?? 0)"] }
        try await watch.settled()
        #expect(listing(watch.path("")).map { [$0, "\(Facts(watch.path($0))?.inode ?? 0)"] } == before)
        let status = try await watch.household.run("status", "--json").json()
        #expect(status["unrecognised"]?.integer == 8)
        #expect(try !watch.list().contains { $0.hasPrefix("2019-04-30") })
    }
}
