import Apod
import Files
import HTTP

/// Changes of favorites that a gallery asks for. The service makes them, where its settings allow it
/// (`web-favorites`), and answers nothing else here.
struct Hearts {
    let root: PublishedTree.Root

    /// No page of another server can send it: it would need leave, which OPTIONS does not give.
    private static let header = "x-apod-favorite"
    private static let longest = 1 << 16

    /// The path of the service's socket; nil where it takes no such requests.
    static func way(in root: PublishedTree.Root) -> String? {
        guard let bytes = try? root.own(LocalSocket.webAddress)?.contents(atMost: 4096),
            let path = String(validating: bytes, as: UTF8.self), path.hasPrefix("/")
        else { return nil }
        return path
    }

    /// POST /favorites/2026-11-20 or /favorites/lists/cats/Mittens; for an album, /favorites/Comets/2026-11-20.
    func answer(_ request: Request) -> Response {
        guard request.path.count > 1, request.path[0] == "favorites" else {
            return .refusal(405, "Nothing can be changed here.")
        }
        guard let action = request.headers[Self.header].flatMap(FavoritesOrder.Action.init), action != .restore,
            isOwn(request)
        else { return .refusal(403, "Only the gallery changes favorites here.") }
        let path = request.path.dropFirst()
        let whole = Key(path.joined(separator: "/"))
        guard let key = whole ?? Key(path.dropFirst().joined(separator: "/")), isHere(key) else {
            return TreePages.missing
        }
        let album = whole == nil ? AlbumName(path.first!) : nil
        guard album != nil || whole != nil else { return .refusal(400, "An album cannot have this name.") }
        guard let way = Self.way(in: root) else {
            return .refusal(403, "Favorites cannot be changed here: `web-favorites = yes` in the settings allows it.")
        }
        let order = FavoritesOrder(action, [key], album: album)
        // The service may be busy.
        return Response(type: Response.text, body: .later { Self.change(key, order, by: way) }, caching: .never)
    }

    private func isHere(_ key: Key) -> Bool {
        key.day.map { root.days[$0] != nil } ?? (root.file(at: "\(key).\(FileName.json)") != nil)
    }

    private static func change(_ key: Key, _ order: FavoritesOrder, by way: String) -> Response {
        do {
            guard let words = try ask(way, order) else {
                return .refusal(202, "The service has not answered yet. The heart changes when it has.")
            }
            let answer = JSON.sparse(key.members() + [("done", .string(order.action.rawValue))])
            return words.isEmpty ? Response.json(answer).cached(.never) : .refusal(409, words)
        } catch {
            return .refusal(503, "The service cannot be reached.")
        }
    }

    /// Browsers tell who asks (Fetch, 3.2; Fetch Metadata, 2.1). A proxy on another machine cannot tell that it was asked by
    /// HTTPS.
    private func isOwn(_ request: Request) -> Bool {
        let origin = request.headers["origin"] ?? request.origin
        return [request.origin, "https" + request.origin.dropFirst("http".count)].contains(origin)
            && (request.headers["sec-fetch-site"] ?? "same-origin") == "same-origin"
    }

    /// What the service complains of; empty if all is done, nil if that is not known yet. Throws if it was not asked.
    private static func ask(_ way: String, _ order: FavoritesOrder) throws -> String? {
        let socket = try LocalSocket.connected(at: way, timeout: .seconds(5))
        guard try socket.send(ServiceRequest.job(Asking.favorites(order)).bytes[...]) > 0 else { return nil }
        var heard: [UInt8] = []
        while heard.count < longest, let more = try? socket.receive(), !more.isEmpty { heard += more }
        return complaint(heard)
    }

    private static func complaint(_ heard: [UInt8]) -> String? {
        var words: [String] = []
        for line in heard.split(separator: "\n") {
            switch (try? JSONText(Array(line)))?.decoded(Answer.self) {
            case .event(.complained(let complaint)): words.append(complaint)
            case .end(let why): return (words + [why?.words].compactMap(\.self)).joined(separator: "\n")
            case nil: break
            }
        }
        return nil
    }

    /// What the service is asked and answers, as far as it is of use here.
    private enum Asking: Encodable { case favorites(FavoritesOrder) }

    private enum Answer: Decodable {
        enum Complaint: Decodable { case complained(String) }
        case event(Complaint)
        case end(Problem?)
    }
}
