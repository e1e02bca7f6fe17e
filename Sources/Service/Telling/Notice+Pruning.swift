import Apod
import Syncing

extension PruneRound {
    package var notices: [Notice] {
        told.map { told in
            let day = told.day.flatMap { $0.isItem ? nil : $0 }
            return Notice(told.failure == nil ? .pruned : .noted, told.words, day: day, of: told.failure)
        }
    }
}
