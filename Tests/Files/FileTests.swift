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
        "A file is the same as before only with the same length, number and time, be it another by less than a second")
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

    @Test("A file has times of whole seconds", arguments: [0, 803_260_800, 4_102_444_800])
    func time(seconds: Int) throws {
        try file.setModified(seconds)
        #expect(try file.facts().modified == seconds)
        var status = stat()
        #expect(fstat(file.descriptor, &status) == 0)
        #expect(status.st_mtim.tv_sec == seconds && status.st_mtim.tv_nsec == 0)
    }

    @Test("A file that is missing or may not be written says so")
    func refusals() throws {
        let missing = failure(try File.reading(home.appending("missing")))
        #expect(missing == Problem("read", home.appending("missing"), code: ENOENT))
        let reading = try File.reading(home.appending("file"))
        #expect(failure(try reading.append([1]))?.errorNumber == EBADF)
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

    @Test(
        "A failure of the disk is told in words that help",
        arguments: [
            (ENOSPC, "no space left on this disk"), (EDQUOT, "your disk quota is used up"),
            (ELOOP, "it is a symbolic link where none may be"), (EACCES, "Permission denied"),
            (EROFS, "Read-only file system"), (ENOENT, "No such file or directory"),
        ])
    func words(code: Int32, words: String) {
        #expect(Problem("write", "/srv/a b", code: code).description == "cannot write /srv/a b: \(words)")
    }

    @Test("A failure of the disk is one of a disk that is away, and may be back, or of one that is there")
    func away() {
        let away = [ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED]
        let others = [ENOENT, EACCES, EPERM, ENOTDIR, ELOOP, ENOSPC, EROFS, EMFILE, ENOMEM, EINTR]
        #expect((away + others).filter { Problem("", "", code: $0).isAway } == away)
    }

    @Test("A failure of the disk is a full disk, general, or of one file")
    func kinds() {
        func codes(where holds: (Problem) -> Bool) -> [Int32] {
            [ENOSPC, EDQUOT, EROFS, EACCES, EPERM, EIO, ENOENT].filter { holds(Problem("", "", code: $0)) }
        }
        #expect(codes(where: \.isFull) == [ENOSPC, EDQUOT])
        #expect(codes(where: \.isGeneral) == [ENOSPC, EDQUOT, EROFS, EACCES, EPERM, EIO])
    }

    @Test("A failure of the disk is of a place that another can stand in for, or of none")
    func places() {
        let all = [
            ENOENT, EACCES, EPERM, EROFS, ENOTDIR, ELOOP, ENAMETOOLONG, EXDEV, EIO, ETIMEDOUT, EINVAL, ENOSYS,
            EOPNOTSUPP, EISDIR, EEXIST, ENOTEMPTY, EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOSPC, EAGAIN,
        ]
        func codes(where holds: (Problem) -> Bool) -> [Int32] {
            all.filter { holds(Problem("", "", code: $0)) }
        }
        #expect(codes(where: \.isDeadEnd) == [ENOENT, EACCES, ENOTDIR, ELOOP, ENAMETOOLONG])
        #expect(codes(where: \.isNoFolder) == [ENOTDIR, ELOOP])
        #expect(codes(where: \.isRefusal) == [EACCES, EPERM, EROFS])
        #expect(codes(where: \.isAboutPlace) == [EACCES, EPERM, EROFS, ENOTDIR, ELOOP, EXDEV, ETIMEDOUT])
        #expect(codes(where: \.isUnsupported) == [EINVAL, ENOSYS, EOPNOTSUPP])
        #expect(codes(where: \.isWrongKind) == [ENOTDIR, EISDIR, EEXIST, ENOTEMPTY])
        #expect(codes(where: \.isOfProcess) == [EMFILE, ENFILE, ENOMEM, ENOBUFS])
    }
}
