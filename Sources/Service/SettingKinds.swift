internal import Apod

/// How values of the different kinds are read.
extension Setting {
    typealias Reading = @Sendable (inout Settings, String) -> Bool

    static func path(_ place: any WritableKeyPath<Settings, String> & Sendable) -> Reading {
        { settings, text in
            settings[keyPath: place] = text
            return !text.isEmpty
        }
    }

    static func number(_ place: any WritableKeyPath<Settings, Int> & Sendable, _ range: ClosedRange<Int>) -> Reading {
        { settings, text in
            guard let number = Int(text), range.contains(number) else { return false }
            settings[keyPath: place] = number
            return true
        }
    }

    static func size(_ place: any WritableKeyPath<Settings, Int> & Sendable) -> Reading {
        { settings, text in
            guard let bytes = Size.bytes(text), bytes > 0 else { return false }
            settings[keyPath: place] = bytes
            return true
        }
    }

    static func choice<Choice: RawRepresentable<String> & Sendable>(
        _ place: any WritableKeyPath<Settings, Choice> & Sendable
    ) -> Reading {
        { settings, text in
            guard let choice = Choice(rawValue: text) else { return false }
            settings[keyPath: place] = choice
            return true
        }
    }

    /// A setting that has one possible value as yet.
    static func only(_ value: String) -> Reading { { _, text in text == value } }
}
