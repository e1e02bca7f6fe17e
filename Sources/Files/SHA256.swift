package import Apod
import CCrypto
import Glibc

/// The hash by which freedesktop.org names thumbnails. It protects nothing.
package enum MD5 {
    /// 32 hexadecimal digits.
    package static func text(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 16)
        EVP_Digest(bytes, bytes.count, &digest, nil, EVP_md5(), nil)
        return Digest.hexadecimal(digest)
    }
}

/// A SHA-256 in the making.
package final class SHA256 {
    private let context = EVP_MD_CTX_new()

    package init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    package func update(_ file: File, unless isStopped: () -> Bool = { false }) throws {
        try file.readThrough(unless: isStopped) { bytes in update(bytes) }
    }

    package func finish() -> Digest {
        var bytes = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &bytes, nil)
        return Digest(bytes)!
    }
}

extension Digest {
    package init(of bytes: [UInt8]) {
        let hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        self = hash.finish()
    }

    package init(of file: File, unless isStopped: () -> Bool = { false }) throws {
        let hash = SHA256()
        try hash.update(file, unless: isStopped)
        self = hash.finish()
    }
}

extension Folder {
    /// Whether a file of this name is here with this content. One that cannot be read is not.
    package func has(
        _ name: String, bytes: Int, sha256: Digest, unless isStopped: () -> Bool = { false }
    ) throws -> Bool {
        guard let facts = try facts(of: name), facts.isRegular, facts.bytes == bytes else { return false }
        do {
            guard let file = try file(name) else { return false }
            return try Digest(of: file, unless: isStopped) == sha256
        } catch {
            // Neither says anything about the file.
            if error.problem.isOfProcess || error.problem.errorNumber == ECANCELED { throw error }
            return false
        }
    }
}
