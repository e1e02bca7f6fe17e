internal import Apod
internal import Files
import Glibc

/// A download in the folder of unfinished ones, with a note beside it that tells whether it can be gone on with.
///
/// `@unchecked Sendable`: libcurl's thread writes, and the task that waited reads when that has finished.
final class PartialDownload: ResponseReceiver, @unchecked Sendable {
    let file: File
    let name: String
    private let wanted: Download
    private let folder: Folder
    private let progress: @Sendable (Int) -> Void
    private var size = 0
    /// Of what is in the file.
    private var hash = SHA256()
    /// How long it will be, as far as the server says.
    private var expected: Int?
    private var firstBytes: [UInt8] = []
    private var validators: Validators?
    private var note: ResumeNote?
    /// libcurl hands out 16 KB at a time; the kernel is quicker with more.
    private var unwritten: [UInt8] = []
    private static let blockSize = 240 << 10

    /// Room that is left on the disk for what is to be written about the files.
    private static let reserve = 256 << 10
    /// With less, the disk is full, whatever the size of a file.
    private static let littleRoom = 16 << 20

    /// What is shorter is sooner fetched again than noted.
    private static let worthResuming = 1 << 20

    init(_ wanted: Download, in folder: Folder, progress: @escaping @Sendable (Int) -> Void) throws(StorageError) {
        self.wanted = wanted
        self.folder = folder
        self.progress = progress
        name = wanted.partialName
        file = try folder.makeFile(name, keeping: true)
        size = try file.facts().bytes
    }

    var isEmpty: Bool { size == 0 }

    /// The header fields that ask for the rest, if what is there is known to be the beginning of the same thing.
    func resumption() throws(StorageError) -> [String] {
        // Of less than that, the first bytes could not be judged together with those that follow.
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

    func head(_ head: Head) throws(FetchError) -> Bool {
        validators = Validators(etag: head.fields["etag"], modified: head.fields["last-modified"])
        switch head.status {
        case 200: try begin(head)
        case 206: try goOn(head)
        case 416:
            try recognizeEnd(head)
            return false
        default: return false
        }
        return true
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

    /// Brings what has come so far into the file.
    func write() throws(FetchError) {
        defer { unwritten.removeAll(keepingCapacity: true) }
        unwritten.withUnsafeBytes { hash.update($0) }
        try onDisk { () throws(StorageError) in try file.append(unwritten) }
    }

    /// After a transfer that seemed to succeed.
    func checkLength() throws(FetchError) {
        if let expected, expected != size { throw .cutShort("\(size) of \(expected) bytes") }
        if size == 0 { throw .cutShort("it was empty") }
    }

    /// What has come, examined and brought to the disk.
    func fetched() throws(FetchError) -> Fetched {
        let facts = try MediaFacts(of: file, kind: wanted.kind, sha256: hash.finish())
        // The note stays until the file has its final name: killed before, the program goes on from it.
        let staged = try onDisk { () throws(StorageError) in
            try Staged(
                file, in: folder, as: name, bytes: facts.bytes, modified: wanted.day.noon,
                companion: note == nil ? nil : ResumeNote.name(name))
        }
        return Fetched(address: wanted.address, staged: staged, facts: facts, validators: validators)
    }

    /// Forgets what has come so far.
    func restart() throws(StorageError) {
        // A note can be there before the first byte is.
        try ResumeNote.remove(of: name, in: folder)
        if size > 0 { try file.truncate(to: 0) }
        size = 0
        hash = SHA256()
        unwritten.removeAll(keepingCapacity: true)
        note = nil
        firstBytes = []
        expected = nil
    }

    /// Leaves nothing behind.
    func discard() {
        try? ResumeNote.remove(of: name, in: folder)
        try? folder.remove(name)
    }

    private func begin(_ head: Head) throws(FetchError) {
        guard wanted.accepts(contentType: head.contentType) else { throw .wrongType(head.contentType) }
        // The length of a compressed body is not that of the file.
        let length = head.fields["content-encoding"] == nil ? head.length : nil
        if let length, length > wanted.limit { throw .tooLarge(limit: wanted.limit) }
        try checkRoom(for: length)
        try onDisk { () throws(StorageError) in
            try restart()
            expected = length
            if length ?? .max >= Self.worthResuming {
                note = ResumeNote(address: "\(wanted.address)", head: head)
                try note?.write(of: name, in: folder)
            }
        }
    }

    private func checkRoom(for length: Int?) throws(FetchError) {
        let space = try onDisk { () throws(StorageError) in try folder.space() }
        let (length, room) = (length ?? 0, space.free - max(Self.reserve, space.floor))
        // Not every file system tells how large it is.
        guard space.total > 0, room < length else { return }
        if room > Self.littleRoom { throw .noRoom(bytes: length) }
        throw .disk(StorageError("make room for \(Size.text(length)) in", folder.path, code: ENOSPC))
    }

    private func goOn(_ head: Head) throws(FetchError) {
        guard let range = ContentRange(head), range.first == size, note?.isContradicted(by: head) != true else {
            try onDisk { () throws(StorageError) in try restart() }
            throw .cutShort("the server sent another part than the one asked for")
        }
        expected = range.total
        if let total = range.total, total > wanted.limit { throw .tooLarge(limit: wanted.limit) }
        try onDisk { () throws(StorageError) in try file.truncate(to: size) }
    }

    /// A server that has nothing behind the end of what is here: then it is all here.
    private func recognizeEnd(_ head: Head) throws(FetchError) {
        let total = ContentRange(head)?.total
        guard let total, total == size, note?.isContradicted(by: head) != true else {
            try onDisk { () throws(StorageError) in try restart() }
            throw .cutShort("the server has no such part")
        }
        expected = total
    }

    private func check(beginning bytes: UnsafeRawBufferPointer) throws(FetchError) {
        firstBytes += bytes.prefix(MediaType.signatureLength - firstBytes.count)
        guard firstBytes.count == MediaType.signatureLength else { return }
        guard MediaType(firstBytes: firstBytes)?.kind == wanted.kind else {
            throw .wrongType(MediaFacts.words(for: firstBytes))
        }
    }
}

/// Reports a failure of the disk as one of the fetch.
func onDisk<Value>(_ work: () throws(StorageError) -> Value) throws(FetchError) -> Value {
    do throws(StorageError) { return try work() } catch { throw .disk(error) }
}
