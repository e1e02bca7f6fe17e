import Apod
import Store
import Upstream

/// The questions to ask the upstream, newest days first. Days that an answer does not cover are asked for again.
struct QuestionPlan {
    enum Question: Equatable {
        /// All records of the window are looked at, not only those of the days wanted.
        case head(ClosedRange<Day>)
        case window(ClosedRange<Day>)
        case day(Day)
    }

    private var head: ClosedRange<Day>?
    /// The days still to ask for, oldest first.
    private var wanted: [Day]

    /// `head` is asked for first, in one question, however many days it spans: most of them may not be published yet.
    init(wanted: Set<Day>, head: ClosedRange<Day>? = nil) {
        self.wanted = wanted.sorted()
        self.head = head
    }

    var days: Set<Day> { Set(wanted) }

    mutating func next() -> Question? {
        if let head {
            self.head = nil
            return .head(head)
        }
        guard let last = wanted.last else { return nil }
        let earliest = last.advanced(by: 1 - APODBasic.pageSize)
        let first = wanted.first { $0 >= earliest } ?? last
        return first == last ? .day(last) : .window(first...last)
    }

    /// Asks for the oldest days of a head once more, which are looked at again, where its answer began behind them.
    mutating func lookAgain(in head: ClosedRange<Day>, before start: Day, days: Int) {
        guard start > head.lowerBound else { return }
        self.head = head.lowerBound...min(head.lowerBound.advanced(by: days), start.advanced(by: -1))
    }

    /// Takes out and returns the days wanted in a range, newest first.
    mutating func remove(daysIn range: ClosedRange<Day>) -> [Day] {
        let taken = wanted.filter { range.contains($0) }
        wanted.removeAll { range.contains($0) }
        return taken.reversed()
    }
}

extension QuestionPlan.Question {
    var range: ClosedRange<Day> {
        switch self {
        case .head(let range), .window(let range): range
        case .day(let day): day...day
        }
    }
}
