import Apod
import Files
import Glibc

/// The command that makes folders for whoever is to write in them, or gives them to that user if they are there.
enum FolderAdvice {
    /// For whoever asks. A folder that is inside another comes behind it.
    static func command(_ folders: String...) -> String {
        let isPerson = geteuid() == 0 || geteuid() >= 1000
        if isPerson, let first = folders.first, let last = folders.last, canMake(first) {
            return "mkdir -p \(Text.quoted(last))"
        }
        return command(folders, for: asker, isPerson: isPerson)
    }

    /// For whoever the folder that it is in belongs to; nil if that is who asks, or nobody.
    static func command(_ folder: String, forOwnerOf parent: String) -> String? {
        guard let owner = FileOwner(of: parent), owner.user != geteuid() else { return nil }
        return command([folder], for: owner)
    }

    /// For the one who is to keep what is in the folders, whoever asks.
    static func command(_ folders: [String], for owner: FileOwner) -> String {
        command(folders, for: FileOwner.login(of: owner.user), isPerson: owner.user == 0 || owner.isPerson)
    }

    /// Whoever asks.
    static var asker: String { FileOwner.login(of: geteuid()) }

    /// A user of the system's has a group of its own.
    private static func command(_ folders: [String], for user: String, isPerson: Bool) -> String {
        let names = folders.map { Text.quoted($0) }.joined(separator: " ")
        return "sudo install -d -o \(user) \(isPerson ? "" : "-g \(user) ")\(names)"
    }

    /// Whether a folder that is not there can be made by whoever asks.
    private static func canMake(_ folder: String) -> Bool {
        guard access(folder, F_OK) != 0, errno == ENOENT else { return false }
        var parent = folder
        repeat {
            // By bytes: a slash and the letter behind it can be one character.
            let slash = parent.utf8.lastIndex(of: UInt8(ascii: "/"))
            parent = slash.flatMap { $0 == parent.startIndex ? nil : String(parent[..<$0]) } ?? "/"
        } while parent != "/" && access(parent, F_OK) != 0
        return access(parent, W_OK | X_OK) == 0
    }
}
