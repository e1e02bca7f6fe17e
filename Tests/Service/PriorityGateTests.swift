import Files
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite(.patience)
struct PriorityGateTests {
    private let priorityGate = PriorityGate()

    @Test("Work that gives way is interrupted by what is urgent, and does not begin before that has ended")
    func givesWay() async throws {
        let steps = Awaited<[String]>([])
        let first = Task { [priorityGate] in
            try await priorityGate.inBackground {
                steps.update { $0.append("begun") }
                let wasLeft = (try? await sleep(for: .seconds(50))) == nil
                steps.update { $0.append(wasLeft ? "interrupted" : "slept") }
            }
        }
        try await steps.first("a step") { $0 == ["begun"] }
        var second: Task<Void, any Error>?
        await priorityGate.urgently {
            _ = try? await steps.first { $0 == ["begun", "interrupted"] }
            second = Task { [priorityGate] in
                try await priorityGate.inBackground { steps.update { $0.append("begun again") } }
            }
            try? await sleep(for: .milliseconds(50))
            steps.update { $0.append("urgent") }
        }
        try await first.value
        try await second?.value
        #expect(steps.value == ["begun", "interrupted", "urgent", "begun again"])
    }

    @Test("Work that gives way ends with whoever waits for it", arguments: [true, false])
    func cancelled(hasBegun: Bool) async throws {
        let begun = Awaited(false)
        let wasLeft = Awaited(false)
        func work() async throws {
            let task = Task { [priorityGate] in
                try await priorityGate.inBackground {
                    begun.update { $0 = true }
                    if (try? await sleep(for: .seconds(50))) == nil { wasLeft.update { $0 = true } }
                }
            }
            if hasBegun { _ = try await begun.first { $0 } }
            task.cancel()
            _ = await task.result
        }
        if hasBegun { try await work() } else { try await priorityGate.urgently { try await work() } }
        #expect(begun.value == hasBegun && wasLeft.value == hasBegun)
    }
}
