import CLinux
import Glibc

/// The facts of an entry that the kernel knows without asking a server (statx(2)).
package struct KnownFacts {
    package let kind: File.Kind
    let identity: File.Identity
    package let bytes: Int

    /// nil, with the reason in `errno`, if statx(2) fails.
    init?(of name: UnsafePointer<CChar>, in folder: Int32) {
        var facts = extended_facts()
        guard known_facts(folder, name, &facts) == 0 else { return nil }
        kind = File.Kind(mode: UInt32(facts.mode))
        identity = File.Identity(
            device: device_number(facts.device_major, facts.device_minor), inode: UInt(facts.inode))
        bytes = Int(facts.size)
    }
}

extension File {
    /// The identity of what is at a path, which may be a link; nil if statx(2) fails.
    package static func identity(at path: UnsafePointer<CChar>) -> Identity? {
        KnownFacts(of: path, in: AT_FDCWD)?.identity
    }
}
