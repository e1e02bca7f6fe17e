package import Apod

/// Words for days that nobody has told anything about: the same for the same day.
package enum Invented {
    private static let things = [
        "Lantern", "Harbor", "Anvil", "Feather", "Orchard", "Kettle", "Lighthouse", "Violin", "Beehive", "Compass",
        "Sailing Ship", "Thistle", "Bridge", "Teapot", "Snow Owl", "Windmill",
    ]
    private static let skies = [
        "Orion", "the Southern Keel", "Comet Hale's Cousin", "the Milky Way", "Saturn", "a Quiet Sun", "Messier 500",
        "the Little Fox", "Titan", "a Harvest Moon", "NGC 99", "the Pole", "Perseus", "Vesta",
    ]
    private static let sentences: [(before: String, after: String)] = [
        ("Look closely at the ", ", and the dark lane beside it turns out to be much nearer than the stars behind."),
        ("On most nights the ", " cannot be seen without a telescope, but patience and a long exposure bring it out."),
        ("Nobody is sure how the ", " came by its odd shape , although two explanations are being tested this year."),
        ("Light from the ", " left its source when the valleys on Earth were still filled with ice."),
        (
            "The colors were assigned: what glows red here is warm hydrogen, and the blue around the ",
            " is reflected light."
        ),
        ("A second camera, two hundred kilometers away, saw the ", " against other stars and so gave its height."),
        ("From the garden where this was taken, the ", " stood only a hand's width above the neighbor's roof."),
        ("Next spring the ", " will be easier to find; until then it sets soon after the Sun."),
    ]

    static func title(_ day: Day) -> String {
        var random = Random(seed: UInt64(day.number))
        let thing = things.randomElement(using: &random)!
        let sky = skies.randomElement(using: &random)!
        return switch day.number % 12 {
        case 0: "\(thing): \(sky) Up Close"
        case 1: "Is That the \(thing) in \(sky)?"
        case 2: "\(sky.prefix(1).uppercased() + sky.dropFirst()) & the \(thing)"
        case 3: "A \"\(thing)\" Over  \(sky)"
        case 4: "\(thing)/\(sky) in 1/2 an Hour."
        case 5: "The \(thing)"
        default: "The \(thing) of \(sky)"
        }
    }

    /// About 2 KB with links, as the archive writes them or as new days do.
    package static func explanation(_ day: Day) -> String {
        var random = Random(seed: UInt64(day.number) &+ 7)
        let space = day.isNative ? "" : " "
        let window = day.isNative ? "" : " target=\"_blank\""
        let text = (0..<13).map { index in
            let thing = things.randomElement(using: &random)!
            let address = "https://sky.example/\(day.compact)/\(index)?a=1&amp;b=\(index)"
            let link = "<a href=\"\(address)\"\(window)>\(thing)</a>\(space)"
            let sentence = sentences.randomElement(using: &random)!
            return sentence.before + link + sentence.after
        }
        return text.joined(separator: " ")
    }

    static func person(_ day: Day) -> String { ["Ada Quill", "Bo Tern", "Cleo Ngata", "Dag Ørsø"][day.number % 4] }

    static func file(_ day: Day) -> String {
        var random = Random(seed: UInt64(day.number) &+ 3)
        let thing = things.randomElement(using: &random)!.split(separator: " ").joined()
        return "\(thing)_\(day.compact)_2048"
    }
}

extension Day {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    var monthName: String { Self.months[month - 1] }

    /// `2026 September 13`
    var heading: String { "\(year) \(monthName) \(day)" }

    /// Entered on the new site, not carried over from the old one.
    var isNative: Bool { year > 2026 || (year == 2026 && month >= 8) }

    /// Read from `260913`.
    init?(compact text: some StringProtocol) {
        let digits = text.utf8.map { Int($0) - 48 }
        guard digits.count == 6, digits.allSatisfy({ 0...9 ~= $0 }) else { return nil }
        let year = digits[0] * 10 + digits[1]
        self.init(
            year: year + (year >= 95 ? 1900 : 2000), month: digits[2] * 10 + digits[3], day: digits[4] * 10 + digits[5])
    }
}
