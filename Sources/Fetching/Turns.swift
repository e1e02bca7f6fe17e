/// Lets at most so many be under way at once, first come, first served.
actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func give() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

/// Keeps a distance between the beginnings of requests.
actor Pace {
    private let distance: Duration
    private var next = ContinuousClock.now

    init(_ distance: Duration) { self.distance = distance }

    func turn() async throws {
        let turn = max(next, .now)
        next = turn + distance
        try await Task.sleep(until: turn)
    }
}
