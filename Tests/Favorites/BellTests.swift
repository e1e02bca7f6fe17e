import Archive
import Files
import Testing

@testable import Favorites

struct BellTests {
    private func place(_ name: String) -> Place { Place(Name(name)!, in: .top) }

    @Test("What was rung for is told once, however often it was rung for")
    func once() {
        let bell = Bell()
        bell.ring(place("a"))
        bell.ring(place("b"))
        bell.ring(place("a"))
        #expect(bell.answer() == .places([place("a"), place("b")]))
        #expect(bell.answer() == .none)
    }

    @Test("Too many places are everywhere, and stay so until they are answered")
    func many() {
        let bell = Bell()
        for number in 0...Hints.most { bell.ring(place("\(number)")) }
        bell.ring(place("one more"))
        #expect(bell.answer() == .everywhere)
        bell.ring(place("a"))
        #expect(bell.answer() == .places([place("a")]))
    }

    @Test("A ring while nobody listened is heard later")
    func later() async {
        let bell = Bell()
        bell.ringEverywhere()
        for await _ in bell.rings { break }
        #expect(bell.answer() == .everywhere)
    }
}
