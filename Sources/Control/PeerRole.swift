internal import Glibc

/// What somebody on the other end of a connection may ask for, by what the kernel says of them.
enum PeerRole: Equatable {
    /// The mirror's owner, or root.
    case owner
    /// Of the mirror's group, and of this number.
    case member(UInt32)
    /// Somebody else, of this number, who may only read.
    case other(UInt32)

    /// `group`: the mirror's.
    init(_ peer: LocalSocket.Peer, group: UInt32?) {
        if [0, geteuid()].contains(peer.user) {
            self = .owner
        } else {
            self = group.map(peer.groups.contains) == true ? .member(peer.user) : .other(peer.user)
        }
    }

    var mayOnlyRead: Bool { if case .other = self { true } else { false } }
}
