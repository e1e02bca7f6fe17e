import Apod
import Archive
import Synchronization
import TestSupport

extension Shelf {
    func problems(workers: Int = 2) async throws -> [String] {
        let problems = Mutex<[String]>([])
        try await Verification(root: root, catalog: archive().catalog).run(workers: workers) { event in
            guard case .found(let problem) = event else { return }
            let words =
                switch problem {
                case .damaged(_, let path): "damaged \(path)"
                case .missing(_, let path): "missing \(path)"
                case .unlisted(_, let path): "unlisted \(path)"
                case .unreadable(_, let path, _): "unreadable \(path)"
                }
            problems.withLock { $0.append(words) }
        }
        return problems.withLock(\.self).sorted()
    }
}

func day(_ text: String) -> Day { Day(text)! }
