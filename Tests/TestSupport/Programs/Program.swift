import Apod
import Glibc
import Synchronization

/// A program that runs beside the test. It is killed when it is released or takes too long.
package final class Program: Sendable {
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// Killed, because its time was up.
        case tooLong
    }

    /// What the program has said so far, and how it ended.
    package struct Outcome: Sendable {
        package internal(set) var outputBytes: [UInt8] = []
        package internal(set) var errorBytes: [UInt8] = []
        package internal(set) var end: End?

        /// An option that the program was given, and adds to the commands that it names: it is left out of these.
        var echo = ""

        package var output: String { text(outputBytes) }
        package var errors: String { text(errorBytes) }

        private func text(_ bytes: [UInt8]) -> String {
            let text = bytes.text
            return echo.isEmpty ? text : text.replacing(echo, with: "")
        }
        /// The exit status; nil unless it ended by itself.
        package var status: Int32? {
            guard case .exited(let status) = end else { return nil }
            return status
        }
    }

    package let id: Int32
    private let run: Run

    /// Starts it, with nothing on standard input. Without an environment it has that of the tests.
    package init(
        _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        limit: Duration = .seconds(180)
    ) throws {
        let output = try Inheritance.privatePipe()
        let errors = try Inheritance.privatePipe()
        defer {
            close(output.writing)
            close(errors.writing)
        }
        let configuration = zip(arguments, arguments.dropFirst()).first { $0.0 == "--config" }
        let echo = configuration.map { " --config \($0.1)" } ?? ""
        let run = Run(output: output.reading, errors: errors.reading, deadline: .now + limit, echo: echo)
        self.run = run
        id = try Spawn(path, arguments, environment).start(output: output.writing, errors: errors.writing)
        run.watch(id)
    }

    deinit { kill() }

    /// Runs it to its end.
    package static func run(
        _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        limit: Duration = .seconds(180)
    ) async throws -> Outcome {
        let program = try Program(path, arguments, environment: environment, limit: limit)
        let outcome = try await program.finished()
        withExtendedLifetime(program) {}
        return outcome
    }

    package var outcome: Outcome { run.outcome.value }

    package func finished() async throws -> Outcome { try await run.outcome.first { $0.end != nil } }

    /// As soon as what it has said fits, or it has ended.
    @discardableResult
    package func outcome(where fits: @escaping @Sendable (Outcome) -> Bool) async throws -> Outcome {
        try await run.outcome.first { $0.end != nil || fits($0) }
    }

    /// Nothing happens when it has ended already.
    package func send(_ signal: Int32) { run.send(signal) }

    package func kill() { send(SIGKILL) }
}
