package import Apod

/// The values of all settings.
package struct Settings: Sendable, Equatable {
    package enum Pictures: String, Sendable, CaseIterable { case original, screen }
    package enum Videos: String, Sendable, CaseIterable { case yes, poster }

    package enum YesNo: String, Sendable, CaseIterable { case yes, no }

    package var root: String
    /// nil: 30 days before the first run.
    package var since: Day?
    package var upstream = WebAddress("https://science.nasa.gov")!
    /// Other mirrors, which are asked for files first.
    package var neighbours: [WebAddress] = []
    package var pictures = Pictures.original
    package var videos = Videos.yes
    package var maxFile = 512_000_000
    /// nil: for ever.
    package var keep: Span?
    /// Bytes of all files and all JSON; nil: no limit.
    package var maxTotal: Int?
    /// JSON requests a second; 0 for no limit.
    package var rate = 1.0
    package var connections = 4
    package var recheckDays = 7
    package var gallery = YesNo.yes
    package var thumbnails = YesNo.yes
    package var sidecars = YesNo.no
    /// nil: there is no folder for frames.
    package var frame: FrameSize?
    package var webFavorites = YesNo.no
    package var webNames: [String] = []
    /// Where the service answers the web; nil: nowhere.
    package var listen: String?
    /// nil: `.apod-mirror` in the root.
    package var state: String?
    /// The address for the upstream to write to.
    package var contact: String?
    /// By name.
    package var lists: [PictureList] = []

    /// The longest side of a picture in pixels, with `pictures = screen`.
    package static let screen = 3840
    package static let daysAtFirst = 30

    /// The time between the beginnings of two JSON requests.
    package var distance: Duration { rate == 0 ? .zero : .seconds(1 / rate) }

    package init(root: String) { self.root = root }

    package internal(set) subscript(list name: ListName) -> PictureList? {
        get { lists.first { $0.name == name } }
        set {
            lists = (lists.filter { $0.name != name } + [newValue].compactMap(\.self)).sorted { $0.name < $1.name }
        }
    }
}
