import Apod
import Decoding
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Decoders
@testable import Thumbnails

extension ThumbnailTests {
    struct WorkerTests {
        private let fixture: ThumbnailsFixture

        init() throws { fixture = try ThumbnailsFixture() }

        @Test("The decoder can open no file and no socket, and start nothing")
        func sandbox() async throws {
            let script = """
                compiler=$(command -v cc) || compiler=$(dirname "$(realpath "$(command -v swift)")")/clang
                $compiler -shared -fPIC -o "$0" "$1" && LD_PRELOAD="$0" exec "$2"
                """
            let library = fixture.mirror.folder.appending("escape.so")
            let source = "\(Places.packageRoot)/Tests/Machine/escape.c"
            let outcome = try await Program.run("/bin/sh", ["-c", script, library, source, ThumbnailsFixture.worker])
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 16 && lines.first == "memory: done", "\(outcome)")
            for line in lines.dropFirst() {
                #expect(line.hasSuffix("Operation not permitted") || line == "new process: Function not implemented")
            }
        }

        @Test("A decoder that somebody stops is gone, and another one makes the other pictures")
        func stopped() async throws {
            let days = try await fixture.put("heavy.png", "small.jpg", "plain.jpg")
            let thumbnails = try fixture.thumbnails(limits: WorkerLimits(wait: .seconds(6)))
            async let made = thumbnails.thumbnails(for: days).all()
            kill(try await Self.worker(), SIGSTOP)
            let outcome = await made
            // On a busy machine, the heavy one may be made before.
            let left = outcome.filter(\.isInterrupted).map(\.day)
            #expect(left.count == 1 && outcome.count(where: \.isMade) == 2, "\(outcome)")
            #expect(try fixture.missing == left)
            #expect(workers().isEmpty)
        }

        @Test(
            "A decoder that is killed is started again; the second time, its picture is for later",
            arguments: [1, 2])
        func killed(times: Int) async throws {
            let day = try await fixture.put("heavy.png")[0]
            let thumbnails = try fixture.thumbnails()
            async let made = thumbnails.thumbnails(for: [day]).all()
            var before: pid_t = 0
            for _ in 0..<times {
                let id = try await Self.worker(besides: before)
                kill(id, SIGKILL)
                before = id
            }
            let outcome = await made
            #expect(outcome.count == 1 && outcome[0].isMade == (times == 1), "\(outcome)")
            if times == 1 { return }
            #expect(outcome[0].isInterrupted && outcome[0].failure?.contains("killed twice") == true)
            #expect(try fixture.catalog.refusedThumbnails(version: Worker.version).isEmpty)
            #expect(try thumbnails.missing().map(\.day) == [day])
            try await fixture.makeAll()
        }

        /// What becomes of two pictures, by what the decoder does and how long it may work and be waited for.
        private static let scripts: [(script: String, limits: WorkerLimits, isForLater: Bool)] =
            [
                ("exec sleep 900", WorkerLimits(wait: .seconds(1)), true),
                ("exit 74", WorkerLimits(), true), ("kill -BUS $$", WorkerLimits(), true),
                // It is waited for as long as it works, and may not be deaf when that is too long.
                ("while :; do :; done", WorkerLimits(work: 11, wait: .seconds(10)), false),
                ("trap '' XCPU; while :; do :; done", WorkerLimits(work: 1, wait: .seconds(30), life: 1), false),
            ]
            + [
                #"printf '\001\377\377' >&0; sleep 9"#, "exit 3", #"printf '\001\004\000\033[2J' >&0; sleep 9"#,
                #"printf '\000\1\2\3\4\0\0\0evil\4\0\0\0code' >&0; sleep 9"#, "kill -SEGV $$", "kill -XCPU $$",
            ].map { ($0, WorkerLimits(wait: .seconds(10)), false) }

        @Test("The decoder's end decides whether a picture is refused, or for later", arguments: scripts.indices)
        func ends(index: Int) async throws {
            let (script, limits, isForLater) = Self.scripts[index]
            let days = try await fixture.put("small.jpg", "one.png")
            let program = try fixture.write("#!/bin/bash\nprintf '\\010' >&0\n\(script)\n")
            let made = try await fixture.make(worker: program, limits: limits)
            #expect(Set(made.map(\.day)) == Set(days) && made.allSatisfy { !($0.refusal ?? "").contains("\u{1b}") })
            #expect(made.allSatisfy { isForLater ? $0.isInterrupted : $0.refusal != nil }, "\(made)")
            #expect(try await fixture.gallery.isEmpty && fixture.missing == (isForLater ? days : []))
        }

        @Test(
            "A decoder that is missing, breaks at once or is of another version says nothing about the pictures",
            arguments: ["/nothing/there", "kill -SEGV $$", #"printf '\377' >&0; sleep 9"#, nil])
        func notStarted(script: String?) async throws {
            try await fixture.put("small.jpg", "plain.jpg")
            let path = try script.map { $0.first == "/" ? $0 : try fixture.write("#!/bin/bash\n\($0)\n") }
            let made = try await fixture.make(worker: path)
            #expect(made.count == 1 && made[0].failure != nil && !made[0].isInterrupted, "\(made)")
            #expect(try fixture.missing.count == 2)
        }

        /// One that has used more of the processor than it needs to begin.
        private static func worker(besides other: pid_t = 0) async throws -> pid_t {
            for _ in 0..<40_000 {
                if let id = workers().first(where: { $0 != other && work(of: $0) > 30 }) { return id }
                usleep(5_000)
            }
            throw SystemError("no worker")
        }

        @Test(
            "The decoder has limits, gives way to others, and has no descriptor but its own and the picture's",
            .root)
        func background() async throws {
            let day = try await fixture.put("heavy.png")[0]
            // As a library would that does not close them when a program is started.
            var pipe: [Int32] = [-1, -1]
            #expect(Glibc.pipe(&pipe) == 0)
            defer { for end in pipe { close(end) } }
            let thumbnails = try fixture.thumbnails()
            async let made = thumbnails.thumbnails(for: [day]).all()
            let id = try await Self.worker()
            #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(id)) == 10)
            #expect(getpgid(id) == id)
            #expect((try File.reading("/proc/\(id)/oom_score_adj").stream()).text == "1000\n")
            let limits = (try File.reading("/proc/\(id)/limits").stream()).text
            for (name, most) in [
                ("address space", 2 << 30), ("file size", 0), ("core file size", 0), ("open files", 64),
            ] {
                let line = limits.split(separator: "\n").first { $0.hasPrefix("Max \(name) ") }
                let words = line?.dropFirst("Max \(name)".count).split(separator: " ").prefix(2).map(String.init)
                #expect(words == ["\(most)", "\(most)"], "\(name)")
            }
            let open = try Folder.open("/proc/\(id)/fd").names().compactMap { Int($0) }.sorted()
            #expect(open.prefix(3) == [0, 1, 2] && open.count <= 5, "\(open)")
            _ = await made
        }

        @Test("The decoder is gone as soon as nobody waits any more, and leaves nothing")
        func cancelled() async throws {
            let day = try await fixture.put("heavy.png")[0]
            let thumbnails = try fixture.thumbnails()
            let work = Task { await thumbnails.thumbnails(for: [day]).all() }
            _ = try await Self.worker()
            work.cancel()
            #expect(await work.value.isEmpty)
            #expect(workers().isEmpty)
            #expect(try await fixture.gallery.isEmpty)
            #expect(try thumbnails.missing().map(\.day) == [day])
        }

        /// Says what it says, and waits.
        private func worker(saying words: String) throws -> (Worker, DecodingJob) {
            let said = fixture.mirror.folder.appending("said")
            let program = try fixture.write("#!/bin/bash\nprintf '\(words)' >&0\n: >'\(said)'\nexec sleep 30\n")
            let worker = try Worker(program, WorkerLimits(wait: .seconds(900)))
            let job = DecodingJob(
                try File.reading(Specimens.path("small.jpg")),
                [Rendition(.webp, box: 480), Rendition(.jpeg, box: 1280)])
            #expect(worker.begin(job))
            try block(for: "the worker's word") { exists(said) }
            return (worker, job)
        }

        @Test("The decoder gets no picture when it has said more than it was asked")
        func talkative() throws {
            let (worker, job) = try worker(saying: "\\010\\003")
            #expect(worker.finish(unless: EventFD()) == nil)
            #expect(!worker.begin(job))
        }

        @Test("The decoder is not waited for in the middle of an answer when the work is to stop")
        func stopsWithinAnswer() throws {
            let (worker, _) = try worker(saying: "\\010\\000")
            let cancelled = EventFD()
            let ready = worker.finish(unless: cancelled)
            cancelled.wake()
            let start = ContinuousClock.now
            let answer = worker.finish(unless: cancelled)
            #expect(ready == nil && answer == nil && .now - start < .seconds(10))
        }

        @Test("The decoder is not given more pictures than it may work for")
        func life() async throws {
            try await fixture.put("small.jpg", "plain.jpg", "one.png", "grey.jpg", "wide.jpg", "red.jpg")
            let log = fixture.mirror.folder.appending("log")
            // It works for a second over each picture.
            let program = try fixture.write(
                #"""
                #!/bin/bash
                printf '\010' >&0
                while [ "$(head -c 13 <&0 | wc -c)" = 13 ]; do
                    echo $$ >>'\#(log)'
                    until=$((until + 100))
                    while read -ra used </proc/$$/stat && ((used[13] + used[14] < until)); do :; done
                    printf '\000\1\2\3\14\0\0\0RIFF1234WEBP\4\0\0\0\377\330\377\340' >&0
                done

                """#)
            let made = try await fixture.make(worker: program, limits: WorkerLimits(work: 2, life: 3))
            #expect(made.count == 6 && made.allSatisfy(\.isMade), "\(made)")
            let processes = try fileText(log).split(separator: "\n")
            #expect(processes.count == 6)
            let counts = Dictionary(grouping: processes) { $0 }.values.map(\.count)
            #expect(counts.max() == 2, "\(processes)")
        }

        /// Asks the program for a picture that never comes, says its process, and waits.
        private static let asker = """
            import os, socket, subprocess, sys, time
            own, other = socket.socketpair()
            worker = subprocess.Popen([sys.argv[1]], stdin=other)
            other.close()
            own.recv(1)
            picture = os.open(sys.argv[2], os.O_RDWR)
            socket.send_fds(own, [b"\\x01\\x01\\x00\\x00\\x05\\x00\\x05"], [picture])
            print(worker.pid, flush=True)
            time.sleep(60)
            """

        @Test("The decoder is gone when whoever asked it is, though it still waits for its picture")
        func orphaned() async throws {
            let picture = fixture.mirror.folder.appending("pipe")
            #expect(mkfifo(picture, 0o600) == 0)
            let end = open(picture, O_RDWR | O_CLOEXEC)
            defer { close(end) }
            let asker = try Program(
                "/usr/bin/python3", ["-c", Self.asker, ThumbnailsFixture.worker, picture], environment: [:])
            try await asker.outcome { $0.output.hasSuffix("\n") }
            let worker = try #require(pid_t(asker.outcome.output.dropLast()))
            #expect(kill(worker, 0) == 0)
            asker.kill()
            _ = try await asker.finished()
            for _ in 0..<40_000 where isRunning(worker) { usleep(5_000) }
            #expect(!isRunning(worker))
            if isRunning(worker) { kill(worker, SIGKILL) }
        }

        @Test("The decoder is not listened to for ever")
        func lengths() {
            let head: [UInt8] = [0, 1, 2, 3]
            for claim in [head + Wire.bytes(UInt32.max), head + Wire.bytes(UInt32(0)), [1] + Wire.bytes(UInt16.max)] {
                var (rest, asked) = (claim[...], 0)
                let read = DecodingAnswer(files: 1) { wanted in
                    asked += wanted
                    defer { rest = rest.dropFirst(wanted) }
                    return Array(rest.prefix(wanted))
                }
                #expect(read == nil && asked == claim.count)
            }
        }
    }
}

extension ThumbnailsFixture {
    func write(_ text: String) throws -> String { try script(text, in: mirror.folder) }
}
