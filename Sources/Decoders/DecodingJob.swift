package import Decoding
package import Files

/// A picture that a worker decodes.
package struct DecodingJob: Sendable {
    package let file: File
    /// The files to ask for; empty to check the picture only.
    package let renditions: [Rendition]
    package var wasKilled = false

    package init(_ file: File, _ renditions: [Rendition] = []) { (self.file, self.renditions) = (file, renditions) }
}
