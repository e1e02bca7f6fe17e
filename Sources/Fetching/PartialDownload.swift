import Apod
import Files
import Glibc

/// A file in the folder of unfinished downloads, with a `ResumeNote` beside it if it can be resumed.
///
/// `@unchecked Sendable`: libcurl's thread writes; the waiting task reads when the transfer has ended.
final class PartialDownload: ResponseReceiver, @unchecked Sendable {
    let file: File
    let name: String
    private let wanted: Download
    private let folder: Folder
    private let progress: @Sendable (Int) -> Void
    private var size = 0
    /// The hash of the bytes in the file.
    private var hash = SHA256()
    /// The full length, if known.
    private var expected: Int?
    private var firstBytes: [UInt8] = []
    private var validators: Validators?
    private var note: ResumeNote?
    private var isResumed = false
    /// A buffer: libcurl delivers 16 KB at a time, and larger writes are quicker.
    private var unwritten: [UInt8] = []
    private static let blockSize = 240 << 10

    /// Kept free on the disk for what is written about a download later.
    private static let reserve = 256 << 10
    /// With less room, the disk counts as full, whatever the size of the file.
    private static let littleRoom = 16 << 20

    /// Shorter files get no note.
    private static let worthResuming = 1 << 20

    init(_ wanted: Download, in folder: Folder, progress: @escaping @Sendable (Int) -> Void) throws {
        self.wanted = wanted
        self.folder = folder
        self.progress = progress
        name = wanted.partialName
        file = try folder.makeFile(name, keeping: true)
        size = try file.facts().bytes
    }

    var isEmpty: Bool { size == 0 }

    /// It may be no file that a server has: a part of it came before, or its length was not told.
    var isDoubtful: Bool { isResumed || expected == nil }

    /// Returns the header fields that ask for the rest; without a note for this address, starts over and returns none.
    func resumption() throws -> [String] {
        // `check(beginning:)` must see the whole signature in one go.
        guard size >= MediaType.signatureLength,
            let note = try ResumeNote(of: name, in: folder), note.address == "\(wanted.address)"
        else {
            try restart()
            return []
        }
        self.note = note
        try hash.update(file)
        return ["Range: bytes=\(size)-", "If-Range: \(note.validator)"]
    }

    func head(_ head: AnswerHead) throws(FetchError) -> Bool {
        validators = Validators(etag: head.fields["etag"], modified: head.fields["last-modified"])
        switch head.status {
        case 200: try begin(head)
        case 206, 416: try goOn(head)
        default: break
        }
        return head.status == 200 || head.status == 206
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        guard size + bytes.count <= wanted.limit else { throw .tooLarge(limit: wanted.limit) }
        if size < MediaType.signatureLength { try check(beginning: bytes) }
        size += bytes.count
        if unwritten.capacity == 0 { unwritten.reserveCapacity(min(expected ?? .max, Self.blockSize) + bytes.count) }
        unwritten += bytes
        if unwritten.count >= Self.blockSize { try write() }
        progress(bytes.count)
    }

    /// Appends the buffered bytes to the file.
    func write() throws(FetchError) {
        defer { unwritten.removeAll(keepingCapacity: true) }
        unwritten.withUnsafeBytes { hash.update($0) }
        try onDisk { try file.append(unwritten) }
    }

    /// Throws if the file is empty, or not as long as the server said.
    func checkLength() throws(FetchError) {
        if let expected, expected != size { throw .cutShort("\(size) of \(expected) bytes") }
        if size == 0 { throw .cutShort("it was empty") }
    }

    /// Checks the complete file and brings it to the disk.
    func fetched() throws(FetchError) -> Fetched {
        let facts = try MediaFacts(of: file, kind: wanted.kind, sha256: hash.finish())
        // The note stays until the file has its final name: after a kill, the download resumes from it.
        let staged = try onDisk {
            try Staged(
                file, in: folder, as: name, bytes: facts.bytes, modified: wanted.published,
                companion: note == nil ? nil : ResumeNote.name(name))
        }
        return Fetched(address: wanted.address, staged: staged, facts: facts, validators: validators)
    }

    /// Empties the file, to start over.
    func restart() throws {
        // The note is written before the first byte.
        try ResumeNote.remove(of: name, in: folder)
        if size > 0 { try file.truncate(to: 0) }
        size = 0
        hash = SHA256()
        unwritten.removeAll(keepingCapacity: true)
        note = nil
        isResumed = false
        firstBytes = []
        expected = nil
    }

    /// Deletes the file and its note.
    func discard() {
        try? ResumeNote.remove(of: name, in: folder)
        try? folder.remove(name)
    }

    private func begin(_ head: AnswerHead) throws(FetchError) {
        guard wanted.accepts(contentType: head.contentType) else {
            throw .wrongType(head.contentType)
        }
        let length = head.length
        if let length, length > wanted.limit { throw .tooLarge(limit: wanted.limit) }
        try checkRoom(for: length)
        try onDisk {
            try restart()
            expected = length
            if length ?? .max >= Self.worthResuming {
                note = ResumeNote(address: "\(wanted.address)", head: head)
                try note?.write(of: name, in: folder)
            }
        }
    }

    private func checkRoom(for length: Int?) throws(FetchError) {
        let space = try onDisk { try folder.space() }
        let (length, room) = (length ?? 0, space.free - max(Self.reserve, space.floor))
        // Some file systems report a size of 0.
        guard space.total > 0, room < length else { return }
        if room > Self.littleRoom { throw .noRoom(bytes: length) }
        throw .disk(Problem("make room for \(Size.text(length)) in", folder.path, code: ENOSPC))
    }

    /// After status 416, no more comes: the file is complete if its size is the total that the server names.
    private func goOn(_ head: AnswerHead) throws(FetchError) {
        guard let range = ContentRange(head), size == (head.status == 416 ? range.total : range.first),
            note?.isContradicted(by: head) != true
        else {
            try onDisk { try restart() }
            throw .cutShort("the server sent another part than the one asked for")
        }
        (expected, isResumed) = (range.total, true)
        if let total = range.total, total > wanted.limit { throw .tooLarge(limit: wanted.limit) }
        try onDisk { try file.truncate(to: size) }
    }

    private func check(beginning bytes: UnsafeRawBufferPointer) throws(FetchError) {
        firstBytes += bytes.prefix(MediaType.signatureLength - firstBytes.count)
        guard firstBytes.count == MediaType.signatureLength else { return }
        guard MediaType(firstBytes: firstBytes)?.kind == wanted.kind else {
            throw .wrongType(MediaFacts.words(for: firstBytes))
        }
    }
}

/// Rethrows a `Problem` as `FetchError.disk`.
func onDisk<Value>(_ work: () throws -> Value) throws(FetchError) -> Value {
    do { return try work() } catch { throw .disk(error.problem) }
}
