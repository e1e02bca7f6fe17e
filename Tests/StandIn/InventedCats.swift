import TestSupport

/// A list of cats in JSON, with a cover and pictures. One picture is lost.
enum InventedCats {
    private static let cats: [(name: String, breed: String)] = [
        ("Biscuit", "Ocicat"), ("Clementine", "Turkish Angora"), ("Dumpling", "Munchkin"),
        ("Fig", "Cornish Rex"), ("Juniper", "Somali"), ("Marzipan", "LaPerm"), ("Noodle", "Singapura"),
        ("Olive", "Burmese"), ("Pickle", "Snowshoe"), ("Rosie", "Manx"), ("Toast", "Tonkinese"), ("Waffles", "Korat"),
    ]
    private static let lost = "Fig"

    /// Nil where something else is asked for.
    static func answer(_ request: Request) -> Response? {
        guard request.path.hasPrefix("/cats") else { return nil }
        if request.path == "/cats.json" { return .json(list) }
        let number = cats.firstIndex { request.path == path($0.name) && $0.name != lost }
        let shown = request.path == path("cover") ? [2, 0, 3] : number.map { [$0] } ?? []
        guard !shown.isEmpty, let picture = drawn(drawing(shown)) else { return .html(404) }
        return .media(picture, type: "image/jpeg", tag: request.path)
    }

    private static func path(_ name: String) -> String { "/cats/\(name.lowercased()).jpg" }

    private static var list: String {
        let items = cats.enumerated().map { number, cat in
            #"{"id": \#(number + 1), "name": "\#(cat.name)", "breed": "\#(cat.breed)", "photo_url": "\#(path(cat.name))"}"#
        }
        return "[\(items.joined(separator: ",\n"))]"
    }

    private static let furs = ["#e0954a", "#f2e6d0", "#6b625c", "#3a3638", "#b98a63"]
    private static let eyes = ["#9cc65a", "#e8c547", "#6fb7d6"]
    private static let walls = ["#31506e", "#7a4b57", "#4d6b53", "#8a6d3f"]

    private static func drawing(_ numbers: [Int]) -> String {
        let drawn = numbers.enumerated().map { place, number in
            """
            <g transform="translate(\(place * 400))"><path fill="\(walls[number % walls.count])" d="M0 0H400V400H0"/>
            <g fill="\(furs[number % furs.count])"><path d="M108 190L95 58 190 120zM292 190L305 58 210 120z"/>
            <ellipse cx="200" cy="410" rx="140" ry="130"/><ellipse cx="200" cy="205" rx="125" ry="105"/></g>
            <g stroke="\(eyes[number % eyes.count])" stroke-width="20"><ellipse cx="150" cy="195" rx="17" ry="30"/>
            <ellipse cx="250" cy="195" rx="17" ry="30"/></g><path fill="#d98888" d="M184 238H216L200 257z"/>
            <path fill="none" stroke="#a0948c" stroke-width="4" d="M200 256v14q-18 20-36 4M200 270q18 20 36 4
            M120 240L36 226M120 254L38 264M280 240L364 226M280 254L362 264"/></g>
            """
        }
        let width = numbers.count * 400
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width * 3)" height="1200" viewBox="0 0 \(width) 400">
            \(drawn.joined())</svg>
            """
    }
}
