internal import CLinux
import Glibc

/// What the system knows of a thing already: no disk that is mounted there is waited for.
struct KnownFacts {
    let kind: File.Kind
    let identity: File.Identity
    /// Something is mounted there, or is when somebody asks for it.
    let isMount: Bool

    /// nil, with the reason in `errno`, where the system tells nothing.
    init?(of name: UnsafePointer<CChar>, in folder: Int32) {
        var (mode, device, inode): (UInt32, UInt, UInt) = (0, 0, 0)
        var isMount: Int32 = 0
        guard known_facts(folder, name, &mode, &device, &inode, &isMount) == 0 else { return nil }
        kind = File.Kind(mode: mode)
        identity = File.Identity(device: device, inode: inode)
        self.isMount = isMount != 0
    }
}

extension File {
    /// Of what is at a path now, which may be a link; nil if it cannot be told. Waits for no disk that is mounted there.
    package static func identity(at path: UnsafePointer<CChar>) -> Identity? {
        KnownFacts(of: path, in: AT_FDCWD)?.identity
    }
}
