/// Reads days as the upstream writes them for people.
extension Day {
    /// `2015 June 3`, also `June 3, 2015` and `3 June 2015`; nil if there is anything else.
    package init?(written text: String) {
        let words = text.split { $0 == " " || $0 == "," || $0 == "." }
        let numbers = words.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
        guard words.count == 3, numbers.count == 2, let month = words.compactMap(Self.month).first else { return nil }
        let yearFirst = numbers[0] > 31
        self.init(year: numbers[yearFirst ? 0 : 1], month: month, day: numbers[yearFirst ? 1 : 0])
    }

    /// The day that an article's address names: `…/apod-2015-june-3-flyby-image/`, or of old `…/ap150603.html`.
    package init?(article address: WebAddress) {
        guard let name = address.path.split(separator: "/").last?.lowercased() else { return nil }
        let words = name.split(separator: "-")
        if words.count >= 4, words[0] == "apod" {
            self.init(written: words[1...3].joined(separator: " "))
        } else if name.hasPrefix("ap"), name.hasSuffix(".html") {
            self.init(compact: name.dropFirst(2).dropLast(5))
        } else {
            return nil
        }
    }

    /// The number of a month whose name may be shortened to three letters.
    private static func month(_ word: Substring) -> Int? {
        let name = word.lowercased()
        guard name.utf8.count >= 3 else { return nil }
        let word = name == "sept" ? "sep" : name
        return months.firstIndex { $0.lowercased().hasPrefix(word) }.map { $0 + 1 }
    }
}
