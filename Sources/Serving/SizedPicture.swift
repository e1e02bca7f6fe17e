import Apod
import Decoders
import Decoding
import Files
import HTTP

/// The size that a frame asks for: `?width=640&height=400&fit=contain`. With one of the two, the other may be anything.
struct PictureSize {
    let width: Int
    let height: Int
    /// `cover`: the picture fills that very size, and what does not fit is cut off. Otherwise it is shown whole.
    let isFilled: Bool

    struct Invalid: Error {}

    private static let most = 3840
    static let rules = """
        `width` and `height` are numbers from 1 to \(most); `fit` is `cover` or, to see the whole picture, `contain`.
        """

    /// nil where no size is asked for.
    init?(_ request: Request) throws(Invalid) {
        let sides = try ["width", "height"].map { name throws(Invalid) in try Self.side(request[name]) }
        let fit = request["fit"] ?? "cover"
        guard ["cover", "contain"].contains(fit) else { throw Invalid() }
        if sides == [nil, nil] { return nil }
        isFilled = fit == "cover" && !sides.contains(nil)
        (width, height) = (sides[0] ?? Self.most, sides[1] ?? Self.most)
    }

    private static func side(_ text: String?) throws(Invalid) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), 1...most ~= number, text.utf8.first != "+" else { throw Invalid() }
        return number
    }

    /// Whether a copy of 1280 pixels has as many as are needed.
    func isMet(by copy: Int, of width: Int, _ height: Int) -> Bool {
        let across = Double(self.width) / Double(width)
        let down = Double(self.height) / Double(height)
        return (isFilled ? max(across, down) : min(across, down)) <= min(1, Double(copy) / Double(max(width, height)))
    }
}

/// A baseline JPEG of a day's picture in a size that is asked for, made by the program that decodes.
struct SizedPicture {
    private let size: PictureSize
    private let source: Digest
    private let file: File
    private let means: Means

    struct Means: Sendable {
        /// The program that decodes; nil where it is not installed.
        let decoder: String?
        /// By content, whatever the state of the mirror.
        let made = MadeAnswers()
    }

    /// Of one picture, in seconds.
    private static let limits = WorkerLimits(work: 60)
    private static let copy = 1280
    private static let type = "image/jpeg"

    /// nil where the day's picture is away.
    init?(_ day: IndexedDay, _ size: PictureSize, in root: PublishedTree.Root, _ means: Means) {
        guard let image = day.files.image else { return nil }
        let isEnough = size.isMet(by: Self.copy, of: image.width ?? .max, image.height ?? .max)
        let paths =
            (day.hasCopies && isEnough ? [GallerySize.large.path(of: day.key)] : []) + [
                day.name.path(image)
            ]
        guard let file = paths.firstValue({ root.file(at: $0) }) else { return nil }
        (self.size, self.file, self.means, source) = (size, file, means, image.sha256)
    }

    func answer(_ caching: Response.Caching) -> Response {
        let tag = "\(String("\(source)".prefix(32)))-\(size.width)x\(size.height)\(size.isFilled ? "" : "-contain")"
        if let known = means.made.answer(to: tag, in: 0) { return known.cached(caching) }
        let make: @Sendable () -> Response = { [self] in
            let answer = means.made.answer(to: tag, in: 0) {
                guard let jpeg else { return Self.lack }
                return Response(type: Self.type, body: .bytes(jpeg), entityTag: tag)
            }
            return answer.status == 200 ? answer.cached(caching) : answer
        }
        return Response(type: Self.type, body: .later(make), caching: caching, entityTag: tag)
    }

    private static let lack = Response.refusal(503, "This picture cannot be decoded now.")

    private var jpeg: [UInt8]? {
        guard let program = means.decoder else { return nil }
        let rendition = Rendition(.jpeg, width: size.width, height: size.height, isFilled: size.isFilled)
        let job = DecodingJob(file, [rendition])
        return Worker.result(of: job, by: program, Self.limits, unless: EventFD())?.jpeg
    }
}
