internal import Apod

/// What takes an answer in. Called on libcurl's thread, one call at a time.
protocol ResponseReceiver: AnyObject, Sendable {
    /// Whether the body is wanted; of one that is not, only a little is read.
    func head(_ head: Head) throws(FetchError) -> Bool
    func body(_ bytes: UnsafeRawBufferPointer) throws(FetchError)
}

/// The beginning of an answer.
struct Head: Sendable {
    var status = 0
    /// Names in lower case.
    var fields: [String: String] = [:]

    var length: Int? { fields["content-length"].flatMap { Int($0) } }

    /// Without parameters: `image/jpeg`.
    var contentType: String {
        Text.clean(String((fields["content-type"] ?? "").lowercased().unicodeScalars.prefix { $0 != ";" }))
    }
}
