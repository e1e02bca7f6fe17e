/// A day's JSON file: the fields of NASA's old API, then what the mirror knows, then the record as it came.
package struct Metadata: Sendable {
    package let name: FileName
    package let picture: Picture
    /// The files in the tree or, of a pruned day, those that were there.
    package var files: [StoredFile]
    /// True if the file is a worse copy than the best that the record names.
    package let downgraded: Bool
    /// Seconds since 1970.
    package let fetched: Int
    package let isPruned: Bool
    /// The file that is still missing, and why.
    package var incomplete: Incomplete?
    /// Digests of unwanted files, and of records (`Picture.content`) that show them. Only
    /// `sync DATE` takes them again.
    package var setAside: Set<Digest>

    package init(
        name: FileName, picture: Picture, files: [StoredFile], downgraded: Bool, fetched: Int, isPruned: Bool = false,
        incomplete: Incomplete? = nil, setAside: Set<Digest> = []
    ) {
        self.name = name
        self.picture = picture
        self.files = files
        self.downgraded = downgraded
        self.fetched = fetched
        self.isPruned = isPruned
        self.incomplete = incomplete
        self.setAside = setAside
    }

    /// The files in the tree; none of a pruned day.
    package var filesHere: [StoredFile] { isPruned ? [] : files }

    package static let suffix = "json"

    /// The file to look at: the picture, or a video's poster.
    package var image: StoredFile? { files.image }

    /// How many further pictures the record shows that are not here.
    package var lacksFurther: Int {
        max(0, picture.further.count - filesHere.count { $0.role.isFurther && !$0.isFormer })
    }

    package var document: [UInt8] {
        let item = picture.item
        let isCopyrighted = item == nil && picture.copyright != nil ? true : item?.isCopyrighted
        return JSON.sparse([
            ("list", name.list.map { .string("\($0)") }),
            ("id", item.map { .string($0.id) }),
            ("date", item == nil ? .day(picture.day) : item?.date.map(JSON.string)),
            ("title", .string(picture.title)),
            ("explanation", .string(picture.explanation)),
            ("url", (main?.address ?? image?.address).map { .string("\($0)") }),
            ("hdurl", hdurl.map { .string("\($0)") }),
            ("media_type", .string(mediaType)),
            ("copyright", picture.copyright.map(JSON.string)),
            ("thumbnail_url", thumbnail.map { .string("\($0.address)") }),
            ("service_version", item == nil ? .string("v1") : nil),
            ("permalink", picture.permalink.map { .string("\($0)") }),
            ("credit", picture.credit.map(JSON.string)),
            ("licence", item?.licence.map(JSON.string)),
            // Of a day, never false: NASA's records do not say that a picture is nobody's.
            ("copyrighted", isCopyrighted.map(JSON.bool) ?? .null),
            ("alt", picture.alt.map(JSON.string)),
            ("mirror", mirror),
            ("upstream", .text(picture.record)),
        ]).document
    }

    private var main: StoredFile? { files.main }

    private var thumbnail: StoredFile? {
        files.first { $0.role == .poster } ?? (main?.role == .picture ? nil : files.image)
    }

    private var hdurl: WebAddress? {
        guard case .image(let source) = picture.media, let main, main.role == .picture else { return nil }
        return downgraded || !source.addresses.contains(main.address) ? main.address : source.best
    }

    /// The type of what is stored, which can be more than the record names.
    private var mediaType: String {
        switch (main?.role, picture.media) {
        case (.video, _), (.page, _), (nil, .video), (nil, .embedded): "video"
        case (.picture, _), (nil, .image): "image"
        case (.poster, _), (.also, _), (nil, .none): "other"
        }
    }

    private var mirror: JSON {
        .sparse([
            ("fetched", .moment(fetched)),
            ("downgraded", .bool(downgraded)),
            ("pruned", isPruned ? .bool(true) : nil),
            ("incomplete", incomplete?.json),
            ("set_aside", setAside.isEmpty ? nil : .strings(setAside.map(\.description).sorted())),
            ("files", .array(filesHere.map { $0.json(named: name) })),
        ])
    }
}

/// A file that the day's record names could not be fetched.
package struct Incomplete: Sendable, Equatable {
    package let failure: Problem
    /// `Picture.content` of a newer record than the one in the JSON, if its files are still to come.
    package let awaited: Digest?

    package init(_ failure: Problem, awaited: Digest? = nil) { (self.failure, self.awaited) = (failure, awaited) }

    package init?(_ text: JSONText?) {
        guard let failure = text.flatMap(Problem.init) else { return nil }
        self.init(failure, awaited: text?["record"]?.digest)
    }

    package var json: JSON {
        .sparse(failure.members + [("record", awaited.map { .string("\($0)") })])
    }
}
