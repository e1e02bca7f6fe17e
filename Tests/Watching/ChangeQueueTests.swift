import Catalog
import Files
import Testing

@testable import Watching

struct ChangeQueueTests {
    private func place(_ name: String) -> Place { Place(Name(name)!, in: .top) }

    @Test("What was added is taken once, however often it was added")
    func once() {
        let changeQueue = ChangeQueue()
        changeQueue.add(place("a"))
        changeQueue.add(place("b"))
        changeQueue.add(place("a"))
        #expect(changeQueue.take() == .places([place("a"), place("b")]))
        #expect(changeQueue.take() == .none)
    }

    @Test("Too many places are everywhere, and stay so until they are answered")
    func many() {
        let changeQueue = ChangeQueue()
        for number in 0...DirtyPaths.most { changeQueue.add(place("\(number)")) }
        changeQueue.add(place("one more"))
        #expect(changeQueue.take() == .everywhere)
        changeQueue.add(place("a"))
        #expect(changeQueue.take() == .places([place("a")]))
    }

    @Test(
        "What was added while nobody listened is heard of later", .timeLimit(.minutes(10)), arguments: [true, false])
    func later(isEverywhere: Bool) async {
        let changeQueue = ChangeQueue()
        if isEverywhere { changeQueue.addEverywhere() } else { changeQueue.add(place("a")) }
        for await _ in changeQueue.wakeUps { break }
        #expect(changeQueue.take() == (isEverywhere ? .everywhere : .places([place("a")])))
    }
}
