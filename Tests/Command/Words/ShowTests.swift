import Apod
import Glibc
import TestSupport
import Testing

@testable import apod_mirror

struct ShowTests {
    @Test("Lines break between words, and paragraphs where they end")
    func wrapping() {
        #expect(Lines.wrapped("", to: 80) == [] && Lines.wrapped(" \n\t\n", to: 80) == [])
        #expect(Lines.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(Lines.wrapped("one two three", to: 6) == ["one", "two", "three"])
        #expect(Lines.wrapped("one  two\n\nthree", to: 80) == ["one two", "three"])
        #expect(Lines.wrapped("a longer word", to: 1) == ["a", "longer", "word"])
        #expect(Lines.wrapped("Ørsted café", to: 6) == ["Ørsted", "café"])
        #expect(Lines.wrapped("\u{d4e} a \u{d4e} b", to: 3) == ["\u{d4e} a", "\u{d4e} b"])
    }

    @Test("Messages break at spaces, and commands in them not at all")
    func messages() {
        #expect(Lines.wrapped(message: "", to: 10) == [""])
        #expect(Lines.wrapped(message: "one two three", to: 7) == ["one two", "three"])
        #expect(Lines.wrapped(message: "say `rm 'a b'` now", to: 5) == ["say", "`rm 'a b'`", "now"])
    }
}
