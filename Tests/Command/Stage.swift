import Apod
import Glibc
import Synchronization
import TestSupport
import Testing

/// Where a transcript is played: a home whose path is always as long, settings there, and an upstream that the script
/// steers over HTTP. Each command begins a minute after the one before, on the evening of the newest day.
final class Stage {
    private let folder: TemporaryFolder
    private let home: String
    private let nasa: FakeNASA
    private let steering: Steering

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        // So that lines break at the same place.
        home = folder.appending(String(repeating: "h", count: max(48 - folder.path.utf8.count, 1)))
        mkdir(home, 0o755)
        mkdir("\(home)/.config", 0o755)
        nasa = try FakeNASA()
        steering = Steering()
        nasa.intercept = { [steering, unowned nasa] in steering.answer($0, of: nasa) }
        let lines = [
            "root = \(home)/APOD", "since = 2019-04-01", "upstream = \(nasa.origin)", "rate = 0", "connections = 1",
            "gallery = no", "thumbnails = no", "",
        ]
        try save(lines.joined(separator: "\n"), to: "\(home)/.config/apod-mirror.conf")
    }

    private static let end = "\u{1e}"

    /// What each command prints.
    func play(_ commands: [[String]], beside service: Bool, privately: Bool) async throws -> [[String]] {
        let script = commands.map { lines in
            "step\n{ \(lines.joined(separator: "\n"))\n} >\"$out\" 2>\"$err\"; told $?"
        }
        let prelude = try fileText("\(Transcript.folder)/prelude.sh")
        let file = folder.appending("script")
        try save(([prelude] + script).joined(separator: "\n") + "\n", to: file)
        let words = ["/usr/bin/env"] + (privately ? ["/usr/bin/unshare", "--mount"] : []) + ["/bin/bash", file]
        let more = ["BESIDE": service ? "service" : "", "CLOCK": try await clock()]
        let outcome = try await Program.run(
            words[0], Array(words.dropFirst()), environment: environment.merging(more) { $1 }, limit: .seconds(600))
        let parts = outcome.output.split(separator: Self.end, omittingEmptySubsequences: false)
        #expect(
            outcome.status == 0 && outcome.errors.isEmpty && parts.count == commands.count + 1,
            "\(outcome.errors) after \(parts.suffix(2))")
        return parts.dropLast().map { shown(String($0)) }
    }

    /// A library that sets the clock ahead, for all who are on the stage.
    private func clock() async throws -> String {
        let library = folder.appending("clock.so")
        let words = ["-shared", "-fPIC", "-O1", "-o", library, "\(Transcript.folder)/clock.c"]
        try await Program.run("/usr/bin/cc", words, environment: ["PATH": "/usr/bin:/bin"]).succeeds()
        return library
    }

    private var environment: [String: String] {
        let programs = Places.built("apod-mirror").split(separator: "/").dropLast().joined(separator: "/")
        return [
            "HOME": home, "PATH": "/\(programs):/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "TERM": "xterm",
            "TZ": "UTC", "NASA": nasa.origin, "PACKAGE": Places.packageRoot,
        ]
    }

    /// Whether a line is about a picture that comes in whatever order.
    private static func isUnordered(_ line: String) -> Bool {
        line.contains(" failed: ")
            || ["B)", "for now)", "text is new)", "text only)"].contains(where: line.hasSuffix)
    }

    /// Without what is different each time.
    private func shown(_ text: String) -> [String] {
        let text = text.replacing(home, with: "HOME").replacing(folder.path, with: "FOLDER").replacing(
            nasa.origin, with: "http://NASA"
        )
        .replacing(Places.packageRoot, with: "PACKAGE")
        .replacing("the service tries again", with: "the next sync tries again")
        .replacing("; the service asks for it", with: "; `apod-mirror run` or the next sync asks for it")
        .replacing(#/[0-2][0-9]:[0-5][0-9](:[0-5][0-9])?/#, with: "HH:MM")
        .replacing(#/process [0-9]+/#, with: "process N").replacing(#/127\.0\.0\.1:[0-9]{5}/#, with: "127.0.0.1:PORT")
        .replacing(#/("free_bytes": )[0-9]+/#, with: { "\($0.1)N" }).replacing(
            #/(free on disk +).*/#, with: { "\($0.1)N" }
        )
        .replacing(#/\n.*/etc/apod-mirror.conf is there too, and is not read/#, with: "")
        for scalar in text.unicodeScalars where scalar != "\n" && Text.isInvisible(scalar) {
            Issue.record("\(scalar.escaped(asASCII: true)) is printed in \(text)")
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines.chunked { Self.isUnordered($0) && Self.isUnordered($1) }.flatMap { $0.sorted() }
    }
}

extension [String] {
    /// Neighbours stay together where they are alike.
    fileprivate func chunked(_ areAlike: (String, String) -> Bool) -> [[String]] {
        reduce(into: []) { chunks, line in
            if let last = chunks.last?.last, areAlike(last, line) {
                chunks[chunks.count - 1].append(line)
            } else {
                chunks.append([line])
            }
        }
    }
}

/// What a script says to the upstream: `nasa day 2035-04-30 title=Orion`.
final class Steering: Sendable {
    private struct State: Sendable {
        var answers: [(part: String, response: Response)] = []
        var cats = 0
    }

    private let state = Mutex(State())

    func answer(_ request: Request, of nasa: FakeNASA) -> Response? {
        if request.path == "/steer" {
            let words = request.query.map(\.value)
            do { return .text(try obey(words, nasa)) } catch { return .text("\(error)\n", status: 500) }
        }
        if let answer = state.withLock({ $0.answers.first { request.target.contains($0.part) } }) {
            return answer.response
        }
        return cat(request.path)
    }

    private func obey(_ words: [String], _ nasa: FakeNASA) throws -> String {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "days":
            for entry in Entry.days(Int(rest[0]) ?? 0, newest: day(rest.count > 1 ? rest[1] : "2035-04-30")) {
                nasa.add(entry)
            }
        case "day":
            let day = day(rest[0])
            var entry = nasa[day] ?? Entry(day)
            for word in rest.dropFirst() { change(&entry, word) }
            nasa.add(entry)
        case "gone": nasa[day(rest[0])] = nil
        case "answer": state.withLock { $0.answers = rest.isEmpty ? [] : $0.answers + [(rest[0], Self.response(rest))] }
        case "cats": state.withLock { $0.cats = Int(rest[0]) ?? 0 }
        case "asked":
            let asked = nasa.requests.map(\.target).filter { !$0.hasPrefix("/steer") }
            nasa.server.forgetRequests()
            return asked.map { "\($0)\n" }.joined()
        case "waits":
            for _ in 1...6000 {
                if nasa.requests.contains(where: { $0.target.contains(rest[0]) && $0.path != "/steer" }) { return "" }
                usleep(10_000)
            }
            return "it was not asked for \(rest[0])\n"
        default: return "nasa does not know \(words)\n"
        }
        return ""
    }

    /// `title=Orion`, `media=png`
    private func change(_ entry: inout Entry, _ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let value = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "title": entry.title = value
        case "text": entry.explanation = value
        case "credit": entry.credit = value
        case "bytes": entry.bytes = Int(value) ?? 0
        case "beside": entry.further.append(Entry.Further(value))
        case "media":
            let other: [String: Entry.Media] = ["video": .video, "text": .text]
            entry.media = other[value] ?? .picture(Entry.Format(rawValue: value) ?? .jpg)
        default: break
        }
    }

    private static func response(_ words: [String]) -> Response {
        switch words[1] {
        case "hang": return .hanging
        case "redirect": return .redirect(to: words[2])
        case "json": return .json(words[2])
        case let status:
            var response = Response.html(Int(status) ?? 500)
            response[header: "Retry-After"] = words.count > 2 ? words[2] : nil
            return response
        }
    }

    /// A list of cats beside NASA's; of two in twenty, the pictures are lacking.
    private func cat(_ path: String) -> Response? {
        let count = state.withLock(\.cats)
        if path == "/cats.json", count > 0 {
            let cats = (1...count).map {
                #"{"id": \#($0), "name": "Cat \#($0)", "breed": "Siamese", "photo_url": "/cats/\#($0).jpg"}"#
            }
            return .json("[\(cats.joined(separator: ","))]")
        }
        guard path.hasPrefix("/cats/"), let number = Int(path.dropFirst(6).dropLast(4)), number <= count else {
            return nil
        }
        return number % 10 == 0 ? .html(404) : .media(Pictures.jpeg(seed: UInt64(number)), type: "image/jpeg")
    }
}
