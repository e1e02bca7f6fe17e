package import Apod

/// Finds the links that a text has in its record.
package typealias LinkReader = @Sendable (_ text: String, _ record: JSONText) -> LinkedText
