import Apod
import Upstream

extension Picture {
    init(_ item: ListItem, as name: FileName) {
        self.init(
            day: name.day, title: item.title, explanation: item.explanation, credit: item.credit, alt: item.alt,
            permalink: item.permalink, media: .image(item.picture),
            item: Item(
                id: item.id, name: name, date: item.date, licence: item.licence,
                isCopyrighted: item.isCopyrighted),
            record: item.record)
    }

    /// The list's own picture, which the settings name; nil without one.
    init?(coverOf list: PictureList) {
        guard let cover = list.cover, let source = Source([cover]) else { return nil }
        self.init(
            day: FileName.cover(of: list.name).day, title: "cover", explanation: "", media: .image(source),
            item: Item(id: "", name: .cover(of: list.name)), record: JSONText("\(cover)"))
    }

    /// Reads back the record of an item that the mirror has kept under a name.
    init?(record: JSONText, as name: FileName, of list: PictureList) {
        if name.isCover {
            var list = list
            list.cover = record.string.flatMap { WebAddress($0) }
            self.init(coverOf: list)
        } else {
            guard let item = ListItem(record, of: list) else { return nil }
            self.init(item, as: name)
        }
    }
}
