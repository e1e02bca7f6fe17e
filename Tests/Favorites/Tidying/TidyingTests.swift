import Apod
import Files
import TestSupport
import Testing

@testable import Favorites
@testable import Store

/// What is to be done about what was seen in the favorites folder; no disk is asked.
struct TidyingTests {
    private static let day = Day("2026-11-20")!
    private static let (picture, poster) = ("2026-11-20 O.jpg", "2026-11-20 O.jpg")
    private static let (video, json) = ("2026-11-20 O.mp4", "2026-11-20 O.json")

    private static func file(_ role: StoredFile.Role, _ type: MediaType) -> StoredFile {
        StoredFile(
            role: role, type: type, address: WebAddress("https://e.org/o")!, bytes: 1, sha256: Digest(of: []))
    }

    private static func stored(_ files: [StoredFile]) -> Item.Stored {
        Item.Stored(
            name: FileName(day: day, title: "O"), title: "O", hasText: true, files: files,
            mirror: MirrorPart(fetched: 0), content: nil,
            json: Digest(of: []), jsonBytes: 0)
    }

    private static let withPicture = stored([file(.picture, .jpeg)])
    private static let withVideo = stored([file(.video, .mp4), file(.poster, .jpeg)])
    private static let (withPoster, withText) = (stored([file(.poster, .jpeg)]), stored([]))

    private static func link(_ path: String, to target: String, file: String? = nil, of day: Day? = day) -> Sighting {
        let finding = day.map { Sighting.Finding.day($0, file: file) } ?? .unrecognised(.outside)
        return Sighting(place: Place(stringLiteral: path), target: LinkTarget(target.bytes), finding: finding)
    }

    private static func leads(
        to file: String, _ climb: String = "../", name: String? = nil
    ) -> Tidying? {
        Tidying(target: "\(climb)2026/11/\(file)", name: name.flatMap { Name($0) })
    }

    private static let links: [(Sighting, Item.Stored, hasFile: Bool, Tidying?)] = [
        // To the very file, however it is written; to the one to look at, if that is not here any more.
        (
            link("a", to: "/srv/2026/11/\(picture)", file: picture), withPicture, true,
            leads(to: picture)
        ),
        (link("a", to: "/srv/2026/11/\(json)", file: json), withPicture, true, leads(to: json)),
        (link("a", to: "../2026/11/\(video)", file: video), withPicture, false, leads(to: picture)),
        // Who asked for a day waits for its picture, and not for a poster.
        (link("a", to: "2026-11-20"), withVideo, true, leads(to: video)),
        (link("a", to: "2026-11-20"), withPoster, true, nil),
        (link("a", to: "2026-11-20"), withText, true, nil),
        // By another way to what has no picture, as a file manager's thumbnail.
        (link("a", to: "/elsewhere/x"), withPoster, true, leads(to: poster)),
        (link("a", to: "/elsewhere/x"), withText, true, leads(to: json)),
        (link("a", to: "/elsewhere/x", of: nil), withPicture, true, nil),
        // Called by the date alone that it asks for, in an album, too.
        (
            link("A/2026-11-20", to: "2026-11-20"), withPicture, true,
            leads(to: picture, "../../", name: picture)
        ),
        (link("2026-11-20", to: picture, file: picture), withPicture, true, leads(to: picture)),
        (link("2026-11-21", to: "2026-11-20"), withPicture, true, leads(to: picture)),
    ]

    @Test(
        "A link is led to its day's file, once there is one, by a path that works from everywhere",
        arguments: links)
    func link(sighting: Sighting, stored: Item.Stored, hasFile: Bool, expected: Tidying?) {
        #expect(sighting.tidying(stored: stored, hasFile: hasFile) == expected)
    }
}
