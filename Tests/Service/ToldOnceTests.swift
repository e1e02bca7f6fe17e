import Testing

@testable import Service

struct ToldOnceTests {
    @Test("What is told once is told again when it is another, or was over in between")
    func changes() {
        let told = ToldOnce<String>()
        #expect(!told.isThere && !told.change(to: nil))
        #expect(told.change(to: "a") && told.isThere && !told.change(to: "a"))
        #expect(told.change(to: "b") && told.change(to: "a"))
        #expect(told.change(to: nil) && !told.isThere && told.change(to: "a"))
    }
}
