/// Lets at most so many be under way at once; of those who wait, the highest rank comes first.
actor AsyncSemaphore {
    private var free: Int
    private var waiting: [(rank: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ count: Int) { free = count }

    var waitingCount: Int { waiting.count }

    func wait(rank: Int = 0) async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { continuation in
                let index = waiting.firstIndex { $0.rank < rank } ?? waiting.endIndex
                waiting.insert((rank, continuation), at: index)
            }
        }
    }

    func signal() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().continuation.resume()
        }
    }
}
