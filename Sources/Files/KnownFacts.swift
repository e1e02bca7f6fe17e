internal import CLinux
import Glibc

/// What the system knows of a thing, with its attributes (statx(2)).
package struct KnownFacts {
    package let kind: File.Kind
    let identity: File.Identity
    package let bytes: Int
    /// Nobody can change or replace it, or take anything out of it, before that is taken back.
    package let isImmutable: Bool

    /// nil, with the reason in `errno`, where the system tells nothing.
    init?(of name: UnsafePointer<CChar>, in folder: Int32) {
        var facts = extended_facts()
        guard known_facts(folder, name, &facts) == 0 else { return nil }
        kind = File.Kind(mode: UInt32(facts.mode))
        identity = File.Identity(
            device: device_number(facts.device_major, facts.device_minor), inode: UInt(facts.inode))
        bytes = Int(facts.size)
        isImmutable = facts.attributes & immutable_attributes != 0
    }
}

extension File {
    /// Of what is at a path now, which may be a link; nil if it cannot be told.
    package static func identity(at path: UnsafePointer<CChar>) -> Identity? {
        KnownFacts(of: path, in: AT_FDCWD)?.identity
    }
}
