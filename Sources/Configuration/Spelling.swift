import Apod

/// Guesses which word was meant.
package enum Spelling {
    package static func nearest(to word: String, among words: [String]) -> String? {
        let ranked = words.map { (word: $0, distance: distance(word.bytes, $0.bytes)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        // Two changes to three letters make another word.
        return best.distance <= max(word.utf8.count < 4 ? 1 : 2, word.utf8.count / 3) ? best.word : nil
    }

    /// The Levenshtein distance.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                (diagonal, row[j + 1]) = (
                    row[j + 1], min(row[j] + 1, row[j + 1] + 1, diagonal + (letter == other ? 0 : 1))
                )
            }
        }
        return row[b.count]
    }
}
