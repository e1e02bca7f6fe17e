package import Apod
internal import Archive

/// The texts of a day's JSON.
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
        permalink = document.permalink
    }
}

/// Finds the links of a text in the record that it came from.
package typealias LinkReader = @Sendable (_ text: String, _ record: JSONText) -> LinkedText
