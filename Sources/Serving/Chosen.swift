import Apod
import HTTP

/// One picture for frames and wallpapers: the newest, one of this date in any year, or one by chance; with `?list=hubble`,
/// of that list.
struct Chosen {
    let pages: TreePages
    let decoding: SizedPicture.Means
    let now: Int

    func answer(_ request: Request) -> Response {
        let size: PictureSize?
        do throws(PictureSize.Invalid) { size = try PictureSize(request) } catch {
            return .refusal(400, PictureSize.rules)
        }
        let list = request["list"]
        guard let days = list.map(index(ofListNamed:)) ?? pages.root.days else {
            return .refusal(404, "There is no such list here.")
        }
        let picturesOnly = request["kind"] == "picture"
        func isMeant(_ day: IndexedDay) -> Bool {
            day.files.image != nil && (!picturesOnly || day.files.main?.role == .picture)
        }
        // A picture of any type becomes a JPEG in a size that is asked for.
        func isWanted(_ day: IndexedDay) -> Bool { isMeant(day) && (size != nil || day.jpeg != nil) }
        switch request.path.joined(separator: "/") {
        case "latest":
            guard let day = days.newestFirst.first(where: isMeant), let image = day.files.image
            else { return TreePages.missing }
            return .redirect("/\(Percent.path(day.name.path(image)))")
        case "latest.jpg":
            if size == nil, list == nil, !picturesOnly, let answer = pages.answer("latest.jpg") { return answer }
            return jpeg(of: days.newestFirst.first(where: isWanted), size, .minutes)
        case "today.jpg":
            // Another one each hour.
            let pictures = (Time.date(now).day?.inAllYears ?? []).compactMap { days[$0] }.filter(isWanted)
            return jpeg(of: pictures.isEmpty ? nil : pictures[now / 3600 % pictures.count], size, .minutes)
        case "random.jpg":
            var random = SystemRandomNumberGenerator()
            let tries = (0..<50).lazy.compactMap { _ in days.randomDay(&random) }
            return jpeg(of: tries.first(where: isWanted) ?? days.newestFirst.first(where: isWanted), size, .never)
        default:
            let keys = pages.root.favorites.filter { list == nil || $0.list?.description == list }
            let favorites = keys.shuffled().lazy.compactMap(pages.root.day)
            return jpeg(of: favorites.first(where: isWanted), size, .never)
        }
    }

    private func index(ofListNamed name: String) -> DayIndex? { ListName(name).flatMap(pages.root.index) }

    private func jpeg(of day: IndexedDay?, _ size: PictureSize?, _ caching: Response.Caching) -> Response {
        guard let day else { return TreePages.missing }
        let sized = size.flatMap { SizedPicture(day, $0, in: pages.root, decoding)?.answer(caching) }
        return sized ?? day.jpeg.flatMap(pages.answer)?.cached(caching) ?? TreePages.missing
    }
}
