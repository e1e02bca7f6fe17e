/// Lets at most so many be under way at once; of those who wait, the highest rank comes first.
actor Slots {
    private var free: Int
    private var waiting: [(rank: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ count: Int) { free = count }

    var waitingCount: Int { waiting.count }

    func take(rank: Int = 0) async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { continuation in
                let index = waiting.firstIndex { $0.rank < rank } ?? waiting.endIndex
                waiting.insert((rank, continuation), at: index)
            }
        }
    }

    func give() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().continuation.resume()
        }
    }
}
