internal import Apod
internal import HTTP

/// One picture for frames and wallpapers: the newest, or one by chance.
struct Chosen {
    let pages: TreePages
    let decoding: SizedPicture.Means

    func answer(_ request: Request) -> Response {
        let size: PictureSize?
        do throws(PictureSize.Invalid) { size = try PictureSize(request) } catch {
            return .refusal(400, PictureSize.rules)
        }
        let days = pages.root.days
        let picturesOnly = request["kind"] == "picture"
        func isWanted(_ day: IndexedDay) -> Bool {
            day.jpeg != nil && (!picturesOnly || day.files.main?.role == .picture)
        }
        switch request.path.joined(separator: "/") {
        case "latest":
            guard let day = days.newestFirst.first(where: { $0.files.image != nil && (!picturesOnly || isWanted($0)) }),
                let image = day.files.image
            else { return TreePages.missing }
            return .redirect("/\(Percent.path(day.path(of: image)))")
        case "latest.jpg":
            if size == nil, !picturesOnly, let answer = pages.answer("latest.jpg") { return answer }
            return jpeg(of: days.newestFirst.first(where: isWanted), size, .minutes)
        case "random.jpg":
            guard let index = request["list"].map(index(ofListNamed:)) ?? days else {
                return .refusal(404, "There is no such list here.")
            }
            var random = SystemRandomNumberGenerator()
            let tries = (0..<50).lazy.compactMap { _ in index.randomDay(&random) }
            return jpeg(of: tries.first(where: isWanted) ?? index.newestFirst.first(where: isWanted), size, .never)
        default:
            let favorites = pages.root.favorites.days.shuffled().lazy.compactMap { days[$0] }
            return jpeg(of: favorites.first(where: isWanted), size, .never)
        }
    }

    private func index(ofListNamed name: String) -> DayIndex? { ListName(name).flatMap(pages.root.index) }

    private func jpeg(of day: IndexedDay?, _ size: PictureSize?, _ caching: Response.Caching) -> Response {
        guard let day, let path = day.jpeg else { return TreePages.missing }
        let sized = size.flatMap { SizedPicture(day, $0, in: pages.root, decoding)?.answer(caching) }
        return sized ?? pages.answer(path)?.cached(caching) ?? TreePages.missing
    }
}
