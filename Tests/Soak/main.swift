import Apod
import Configuration
import Fetching
import Files
import Glibc
import Service

// The service, by a clock that somebody else sets: `soak-service ROOT UPSTREAM SINCE CLOCK`. CLOCK is a file with the
// moment in eight bytes. With each month, the settings are others and everything is opened anew.

struct FileTime: WallClock {
    let file: Int32

    var now: Int {
        var moment = 0
        return pread(file, &moment, MemoryLayout<Int>.size, 0) == MemoryLayout<Int>.size ? moment : 0
    }

    func wait(until moment: Int) async throws(CancellationError) {
        var before = now
        while before < moment {
            try await sleep(for: .milliseconds(2))
            let after = now
            if after < before { return }
            before = after
        }
    }
}

func read(_ words: [String]) -> Settings {
    var settings = Settings(root: words[1])
    settings.upstream = WebAddress(words[2])!
    settings.since = Day(words[3])
    settings.rate = 0
    settings.keep = Span("60d")
    return settings
}

signal(SIGPIPE, SIG_IGN)
Memory.limit()
let settings = read(CommandLine.arguments)
let time = FileTime(file: open(CommandLine.arguments[4], O_RDONLY | O_CLOEXEC))
var environment = ServiceEnvironment(version: "soak", variables: [:]) { event in
    let words = "\(Time.text(time.now)) \(event)\n"
    write(STDOUT_FILENO, words, words.utf8.count)
}
environment.time = time
var fetching = FetchSettings()
fetching.pause = .milliseconds(2)
fetching.attempts = 2
fetching.stallSeconds = 1
environment.fetching = fetching
let mirrorService = MirrorService(settings, environment)
Task(executorPreference: ThreadExecutor.shared) {
    try await mirrorService.run()
    exit(0)
}
Task(executorPreference: ThreadExecutor.shared) {
    var other = settings
    while true {
        try await time.wait(until: time.now + 30 * 86_400)
        other.recheckDays = 13 - other.recheckDays
        mirrorService.reload(other)
    }
}
while true { pause() }
