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
    say("benchmark-upstream: \(error)", on: 2)
    exit(1)
}

/// The origin on the first line and the oldest day on the second, then answers until SIGTERM or until nobody holds standard input any more.
func serve(_ options: Options) throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT] { sigaddset(&signals, signal) }
    // Blocked before there are threads, so that all inherit it and only sigwait takes them.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let nasa = try FakeNASA(options.entries, pictures: options.pictures, port: options.port)
    try hinder(nasa, options)
    nasa.prepare()
    say("\(nasa.origin)\n\(nasa.days.first!)", on: 1)
    var watcher = pthread_t()
    pthread_create(&watcher, nil, untilInputEnds, nil)
    var signal: Int32 = 0
    sigwait(&signals, &signal)
    nasa.stop()
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

func untilInputEnds(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var byte: UInt8 = 0
    while read(0, &byte, 1) > 0 {}
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
    let line = Array("\(text)\n".utf8)
    _ = Glibc.write(descriptor, line, line.count)
}
