import Apod
import Glibc
import TestSupport

let options: Options
do throws(Options.Mistake) {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    say(error.text, on: 2)
    exit(2)
}
do {
    try options.folder == nil ? serve(options) : writePictures(options)
} catch {
    say("apod-stand-in: \(error)", on: 2)
    exit(1)
}

/// The origin on the first line and the oldest day on the second, then answers until SIGTERM or until its parent has gone.
func serve(_ options: Options) throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT] { sigaddset(&signals, signal) }
    // Blocked before there are threads, so that all inherit it and only sigwait takes them.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let nasa = try FakeNASA(options.entries, pictures: options.pictures, port: options.port)
    if options.isInvented { nasa.intercept = InventedCats.answer }
    try hinder(nasa, options)
    nasa.prepare()
    say("\(nasa.origin)\n\(nasa.days.first!)", on: 1)
    var watcher = pthread_t()
    pthread_create(&watcher, nil, untilParentEnds, nil)
    if options.isInvented, let day = InventedDays.correctable(nasa.days, but: options.corrected) {
        guard wait(for: &signals, until: nasa.serves(day), and: 20) else { return nasa.stop() }
        nasa[day].map { nasa.add(InventedDays.corrected($0)) }
        say("\(day)", on: 1)
    }
    var signal: Int32 = 0
    sigwait(&signals, &signal)
    nasa.stop()
}

/// Waits until it is so, and some seconds more; false when a signal comes before.
func wait(for signals: inout sigset_t, until isSo: @autoclosure () -> Bool, and seconds: Int) -> Bool {
    var second = timespec(tv_sec: 1, tv_nsec: 0)
    var left = seconds
    while left > 0 {
        if sigtimedwait(&signals, nil, &second) > 0 { return false }
        if left < seconds || isSo() { left -= 1 }
    }
    return true
}

extension FakeNASA {
    /// Whether somebody has asked for the day's picture.
    func serves(_ day: Day) -> Bool {
        let path = self[day]?.files.first.map { Entry.originals + $0.path }
        return requests.contains { $0.path == path }
    }
}

/// Makes it slow, and notes who asks for which part of which picture.
func hinder(_ nasa: FakeNASA, _ options: Options) throws {
    if options.delay == .zero, options.stall == nil, options.log == nil { return }
    let log = options.log.map { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }
    if log == -1 { throw SystemError("open \(options.log ?? "")") }
    nasa.intercept = { [unowned nasa] request in
        guard request.path.hasPrefix(Entry.originals) else { return nil }
        if let log { say("\(request.path) \(request.headers["range"] ?? "whole")", on: log) }
        var response = nasa.usual(request)
        response.delay = options.delay
        if let stall = options.stall, request.attempt == 1 { response.ending = .stall(after: stall) }
        return response
    }
}

func untilParentEnds(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let parent = getppid()
    while getppid() == parent { sleep(1) }
    kill(getpid(), SIGTERM)
    return nil
}

/// The files that the records name, in the folders where a plain web server finds them.
func writePictures(_ options: Options) throws {
    for file in options.entries.flatMap(\.files) {
        guard let folder = options.folder, let body = file.original else { continue }
        try write(body, to: "\(folder)\(Entry.originals)\(file.path)")
    }
}

func write(_ body: Body, to path: String) throws {
    try makeFolder(of: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    try body.forEachPiece(in: 0..<body.count) { piece in
        guard Glibc.write(descriptor, piece.baseAddress, piece.count) == piece.count else {
            throw SystemError("write \(path)")
        }
    }
}

func makeFolder(of path: String) throws {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
        folder += (folder.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw SystemError("mkdir \(folder)") }
    }
}

func say(_ text: String, on descriptor: Int32) {
    let line = "\(text)\n".bytes
    _ = Glibc.write(descriptor, line, line.count)
}
