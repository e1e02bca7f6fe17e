internal import Apod

/// Takes one answer in. Called on libcurl's thread, one call at a time.
protocol ResponseReceiver: AnyObject, Sendable {
    /// Returns whether the body is wanted; only a little is read of one that is not.
    func head(_ head: Head) throws(FetchError) -> Bool
    func body(_ bytes: UnsafeRawBufferPointer) throws(FetchError)
}

/// The status and header fields of an answer.
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
