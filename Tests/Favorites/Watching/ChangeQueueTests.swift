import Catalog
import Files
import TestSupport
import Testing

@testable import Favorites

struct ChangeQueueTests {
    @Test("What was added is taken once, however often it was added")
    func once() {
        let changeQueue = ChangeQueue()
        changeQueue.add("a")
        changeQueue.add("b")
        changeQueue.add("a")
        #expect(changeQueue.take() == .places(["a", "b"]))
        #expect(changeQueue.take() == .none)
    }

    @Test("Too many places are everywhere, and stay so until they are answered")
    func many() {
        let changeQueue = ChangeQueue()
        for number in 0...DirtyPaths.most { changeQueue.add("\(number)") }
        changeQueue.add("one more")
        #expect(changeQueue.take() == .everywhere)
        changeQueue.add("a")
        #expect(changeQueue.take() == .places(["a"]))
    }

    @Test(
        "What was added while nobody listened is heard of later", .timeLimit(.minutes(10)), arguments: [true, false])
    func later(isEverywhere: Bool) async {
        let changeQueue = ChangeQueue()
        if isEverywhere { changeQueue.addEverywhere() } else { changeQueue.add("a") }
        for await _ in changeQueue.wakeUps { break }
        #expect(changeQueue.take() == (isEverywhere ? .everywhere : .places(["a"])))
    }
}
