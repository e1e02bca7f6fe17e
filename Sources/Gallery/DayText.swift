package import Apod
internal import Archive

/// What a day's JSON tells in words.
struct DayText {
    let explanation: LinkedText
    let credit: LinkedText?
    let alt: String?
    /// NASA's page of the day.
    let permalink: String

    init(_ document: DayDocument, _ readLinks: LinkReader) {
        func linked(_ text: String) -> LinkedText { readLinks(text, document.record) }
        explanation = linked(document.explanation)
        credit = (document.text("credit") ?? document.text("copyright")).map(linked)
        alt = document.text("alt")
        let permalink = document.text("permalink").flatMap { WebAddress($0) }
        self.permalink = permalink?.description ?? "https://apod.nasa.gov/apod/ap\(document.name.day.compact).html"
    }
}

/// Finds the links that a text has in its record.
package typealias LinkReader = @Sendable (_ text: String, _ record: JSONText) -> LinkedText
