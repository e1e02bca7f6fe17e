import Apod
import Upstream

extension Picture {
    init(_ item: ListItem, as name: ItemName) {
        self.init(
            key: .item(name), title: item.title, explanation: item.explanation, credit: item.credit, alt: item.alt,
            permalink: item.permalink, media: .image(item.picture),
            item: ItemRecord(
                id: item.id, date: item.date, licence: item.licence,
                isCopyrighted: item.isCopyrighted),
            record: item.record)
    }

    /// The list's own picture, which the settings name; nil without one.
    init?(coverOf list: PictureList) {
        guard let cover = list.cover, let source = Source([cover]) else { return nil }
        self.init(
            key: .cover(of: list.name), title: "cover", explanation: "", media: .image(source),
            item: ItemRecord(id: ""), record: JSONText("\(cover)"))
    }

    /// Reads back the record of an item that the mirror has kept under a name.
    init?(record: JSONText, as name: ItemName, of list: PictureList) {
        if Key.item(name).isCover {
            var list = list
            list.cover = record.string.flatMap { WebAddress($0) }
            self.init(coverOf: list)
        } else {
            guard let item = ListItem(record, of: list) else { return nil }
            self.init(item, as: name)
        }
    }
}
