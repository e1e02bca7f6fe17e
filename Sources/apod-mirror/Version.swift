/// The version of the changelog's newest entry, which begins with `apod-mirror (0.2.0)`.
enum Version {
    static let number: String = {
        let bracketed = PackageResources.changelog.drop { $0 != UInt8(ascii: "(") }.dropFirst()
        return String(decoding: bracketed.prefix { $0 != UInt8(ascii: ")") }, as: UTF8.self)
    }()
}
