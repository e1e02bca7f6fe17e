/// How much in the favorites folder has become a link as the mirror makes it.
package struct AdoptionTally: Sendable {
    package var links = 0
    package var copies = 0

    mutating func add(_ other: AdoptionTally) {
        links += other.links
        copies += other.copies
    }
}
