/// The upstream's record of one day, or of an item of another list, cleaned: everything but the files themselves.
package struct Picture: Sendable {
    package var key: Key
    package var title: String
    package var explanation: String
    package var credit: String?
    /// The holder. Set exactly where the upstream says that the picture is copyrighted.
    package var copyright: String?
    package var alt: String?
    package var permalink: WebAddress?
    package var media: Media
    /// Those beside the first.
    package var further: [FurtherPicture]
    /// The days that the explanation's links lead to.
    package var speaksOf: Set<Day>
    /// It is from the list that stands in for APOD Basic.
    package var isStandIn: Bool
    /// What only an item of another list has.
    package var item: ItemRecord?
    /// The record that this was read from, as it came.
    package var record: JSONText

    package init(
        key: Key, title: String, explanation: String, credit: String? = nil, copyright: String? = nil,
        alt: String? = nil, permalink: WebAddress? = nil, media: Media, further: [FurtherPicture] = [],
        speaksOf: Set<Day> = [], isStandIn: Bool = false, item: ItemRecord? = nil, record: JSONText
    ) {
        self.key = key
        self.title = title
        self.explanation = explanation
        self.credit = credit
        self.copyright = copyright
        self.alt = alt
        self.permalink = permalink
        self.media = media
        self.further = further
        self.speaksOf = speaksOf
        self.isStandIn = isStandIn
        self.item = item
        self.record = record
    }
}

extension Picture {
    /// Like `2 pictures`.
    package static func count(_ pictures: Int) -> String { pictures == 1 ? "1 picture" : "\(pictures) pictures" }

    /// nil for an item of another list.
    package var day: Day? { key.day }
}

/// What an item of another list has besides.
package struct ItemRecord: Sendable, Equatable {
    /// As the list has it; empty for the list's cover.
    package let id: String
    /// Like `1994-05-25`, of any year.
    package let date: String?
    package let licence: String?
    /// Whether somebody holds rights; nil where the list does not say.
    package let isCopyrighted: Bool?

    package init(
        id: String, date: String? = nil, licence: String? = nil,
        isCopyrighted: Bool? = nil
    ) {
        (self.id, self.date) = (id, date)
        (self.licence, self.isCopyrighted) = (licence, isCopyrighted)
    }
}

extension Picture {
    /// The time of its files: noon of its date; nil for an item without one.
    package var published: Int? {
        switch key {
        case .day(let day): day.noon
        case .item: item?.date.flatMap(Day.noon)
        }
    }

    /// The name of its files where there are none yet.
    package var name: FileName {
        switch key {
        case .day(let day): FileName(day: day, title: title)
        case .item(let item): FileName(item)
        }
    }
}

/// The media of a day.
package enum Media: Sendable, Equatable {
    case image(Source)
    case video(WebAddress, poster: Source?)
    /// Something that only plays in a browser.
    case embedded(WebAddress, poster: Source?)
    /// Text only, or a stand-in until there is a picture.
    case none
}

/// A picture that a day shows beside its own.
package struct FurtherPicture: Sendable, Equatable {
    package let source: Source
    package let alt: String?
    /// It takes the place of the day's picture under the pointer.
    package let isRollover: Bool

    package init(_ source: Source, alt: String? = nil, isRollover: Bool = false) {
        (self.source, self.alt, self.isRollover) = (source, alt, isRollover)
    }
}

extension Media {
    package var addresses: [WebAddress] {
        switch self {
        case .image(let source): source.addresses
        case .video(let address, let poster), .embedded(let address, let poster): [address] + (poster?.addresses ?? [])
        case .none: []
        }
    }
}

/// The addresses of one image, best first. All but the first are worse copies.
package struct Source: Sendable, Equatable {
    package let addresses: [WebAddress]
    /// The native size, as far as the upstream tells.
    package let width: Int?
    package let height: Int?

    package init?(_ addresses: [WebAddress], width: Int? = nil, height: Int? = nil) {
        guard !addresses.isEmpty else { return nil }
        self.addresses = addresses
        self.width = width
        self.height = height
    }

    package var best: WebAddress { addresses[0] }
}
