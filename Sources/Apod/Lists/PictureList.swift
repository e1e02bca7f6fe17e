/// A list of pictures on the web, in JSON: where it is, and what it calls its fields.
package struct PictureList: Sendable, Equatable {
    /// What lists tell of their pictures, and of themselves. The name is that in the settings.
    package enum Field: String, Sendable, CaseIterable {
        case items, id, title, picture, date, text, credit, licence, next
    }

    package var name: ListName
    package var address: WebAddress
    /// Fields without a rule are looked for by their usual names.
    package var rules: [Field: FieldRule]
    /// The list's own picture.
    package var cover: WebAddress?
    /// How many of the newest pictures are kept; nil: all.
    package var keep: Int?

    package init(
        name: ListName, address: WebAddress, rules: [Field: FieldRule] = [:], cover: WebAddress? = nil, keep: Int? = nil
    ) {
        self.name = name
        self.address = address
        self.rules = rules
        self.cover = cover
        self.keep = keep
    }
}

extension PictureList {
    /// Changes with what is read of the list.
    package var reading: String {
        "\(address) \(keep ?? 0) " + rules.map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined(separator: " ")
    }

    /// The lists that need no rules in the settings, by the name that stands there in the place of an address.
    package static let known: [PictureList] =
        [
            list("epic", at: "https://epic.gsfc.nasa.gov/api/natural", epic),
            list("esa-hubble", at: "https://esahubble.org/images/d2d/", data2Dome),
            list("esa-webb", at: "https://esawebb.org/images/d2d/", data2Dome),
            list("eso", at: "https://www.eso.org/public/images/d2d/", data2Dome),
            list("noirlab", at: "https://noirlab.edu/public/images/d2d/", data2Dome),
        ]

    package static func known(at address: WebAddress) -> PictureList? { known.first { $0.address == address } }

    private static func list(_ name: String, at address: String, _ rules: [Field: FieldRule]) -> PictureList {
        PictureList(name: ListName(name)!, address: WebAddress(address)!, rules: rules)
    }

    /// Data2Dome, a form of lists for planetariums.
    private static let data2Dome = rules([
        .items: "Collections", .id: "ID", .title: "Title",
        .picture: "Assets[].Resources[ResourceType=Large].URL", .date: "PublicationDate", .text: "Description",
        .credit: "Credit", .licence: "Rights", .next: "Next",
    ])

    private static let epic =
        rules([
            .id: "identifier", .title: "caption",
            .picture: "https://epic.gsfc.nasa.gov/archive/natural/{YYYY}/{MM}/{DD}/png/{image}.png", .date: "date",
        ]).merging([.licence: FieldRule(always: "Public domain")]) { $1 }

    private static func rules(_ rules: [Field: String]) -> [Field: FieldRule] { rules.mapValues { FieldRule($0)! } }
}
