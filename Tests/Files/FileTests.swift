import Apod
import Files
import Glibc
import TestSupport
import Testing

struct FileTests {
    private let home: TemporaryFolder
    private let file: File

    init() throws {
        home = try TemporaryFolder()
        file = try home.open().makeFile("file")
    }

    @Test("A file is read as it was written, from anywhere", arguments: [0, 99_999, 200_000])
    func reads(offset: Int) throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try file.append(Array(bytes[..<500]))
        try file.append(Array(bytes[500...]))
        try file.append([])
        #expect(try file.bytes(at: offset, count: 70_000) == Array(bytes.dropFirst(offset).prefix(70_000)))
    }

    @Test("A file shortened is written on from there, and not read as one smaller than it is")
    func truncate() throws {
        try file.append([1, 2, 3, 4])
        try file.truncate(to: 2)
        try file.append([9])
        try file.sync()
        #expect(try file.contents(atMost: 3) == [1, 2, 9])
        #expect(failure(try file.contents(atMost: 2))?.errorNumber == EFBIG)
        try file.truncate(to: 0)
        #expect(try file.facts().bytes == 0)
        #expect(failure(try file.truncate(to: -1))?.errorNumber == EINVAL)
    }

    @Test("A file is read as far as it went at the beginning, however fast it grows", arguments: [0, 1, 600_000])
    func growing(size: Int) throws {
        try file.append([UInt8](repeating: 7, count: size))
        var pieces = 0
        // What is read is what makes it longer.
        try file.append(file) {
            pieces += 1
            return pieces > 10
        }
        #expect(try file.facts().bytes == size * 2)
    }

    @Test("A file is read no further when that is to stop")
    func stopped() throws {
        try file.append([UInt8](repeating: 7, count: 2_000_000))
        var asked = 0
        let stop = failure(
            try Digest(of: file) {
                asked += 1
                return asked == 3
            })
        #expect(stop?.errorNumber == ECANCELED)
        #expect(asked == 3)
        let copy = try home.open().makeFile("copy")
        #expect(failure(try copy.append(file, unless: { true }))?.errorNumber == ECANCELED)
        #expect(try copy.facts().bytes == 0)
    }

    @Test(
        "A file is the same as before only with the same length, number and time, to the nanosecond")
    func isSame() throws {
        try file.append([1])
        try file.setModified(1000)
        let before = try file.facts()
        #expect(try file.facts().isSame(as: before))
        try file.setModified(1001)
        #expect(try !file.facts().isSame(as: before))
        try file.append([2])
        try file.setModified(1000)
        #expect(try !file.facts().isSame(as: before))
        let other = try home.open().makeFile("other")
        try other.append([1])
        try other.setModified(1000)
        #expect(try !other.facts().isSame(as: before))
        let (now, time) = (try file.facts(), timespec(tv_sec: 1000, tv_nsec: 1))
        futimens(file.descriptor, [time, time])
        #expect(try !file.facts().isSame(as: now))
    }

    @Test("A file without a size is read to its end")
    func stream() throws {
        #expect(try File.reading("/proc/sys/kernel/random/boot_id").stream().count == 37)
        #expect(try File.reading("/proc/self/maps").stream().count > 4096)
    }

    @Test("A file is not inherited by programs that are started")
    func closesOnExec() throws {
        let folder = try home.open()
        let again = try #require(try folder.file("file"))
        let reading = try File.reading(again.path)
        for descriptor in [file.descriptor, folder.descriptor, again.descriptor, reading.descriptor] {
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        }
    }
}

struct DiskErrorTests {
    @Test("A failure of the disk is said on one line, with the name as it is but for what nobody sees")
    func oneLine() {
        let error = Problem("open", "/a  b\nc\u{1b}[2J\u{202e}\u{2028}é", code: ENOENT)
        let name = "/a  b\u{fffd}c\u{fffd}[2J\u{fffd}\u{fffd}é"
        #expect(error.description == "cannot open \(name): No such file or directory")
    }

    private static let away = [ETIMEDOUT, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED]

    @Test(
        "A failure of the disk is of the kinds that decide what follows",
        arguments: [
            (\.isAway, away + [EIO]), (\.isFull, [ENOSPC, EDQUOT]), (\.isRefusal, [EACCES, EPERM, EROFS]),
            (\.isGeneral, [ENOSPC, EDQUOT, EROFS, EACCES, EPERM, EIO, EMFILE, ENFILE, ENOMEM, ENOBUFS]),
            (\.isDeadEnd, [ENOENT, EACCES, ENOTDIR, ELOOP, ENAMETOOLONG]), (\.isNoFolder, [ENOTDIR, ELOOP]),
            (\.isAboutPlace, away + [EACCES, EPERM, EROFS, ENOTDIR, ELOOP, EXDEV]),
            (\.isUnsupported, [EINVAL, ENOSYS, EOPNOTSUPP]), (\.isWrongKind, [ENOTDIR, EISDIR, EEXIST, ENOTEMPTY]),
            (\.isOfProcess, [EMFILE, ENFILE, ENOMEM, ENOBUFS]),
        ] as [(@Sendable (Problem) -> Bool, [Int32])])
    func kinds(kind: @Sendable (Problem) -> Bool, codes: [Int32]) {
        let all = [
            ENOENT, EACCES, EPERM, EROFS, ENOTDIR, ELOOP, ENAMETOOLONG, EXDEV, EIO, ETIMEDOUT, EINVAL, ENOSYS,
            EOPNOTSUPP, EISDIR, EEXIST, ENOTEMPTY, EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOSPC, EDQUOT, EAGAIN, EINTR,
        ]
        let found = Set(all + Self.away).filter { kind(Problem("", "", code: $0)) }
        #expect(found == Set(codes))
    }
}
