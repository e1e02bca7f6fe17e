import Apod
import Files
import Glibc

/// The command that makes folders for a user, or gives existing ones to that user.
enum FolderAdvice {
    /// For the current user. A folder comes before those inside it.
    static func command(_ folders: String...) -> String {
        let user = FileOwner(user: geteuid(), group: getegid())
        if isRootOrPerson(user), let first = folders.first, let last = folders.last, canMake(first) {
            return "mkdir -p \(Text.quoted(last))"
        }
        return command(folders, for: user)
    }

    /// For the owner of `parent`; nil if that is the current user or nobody.
    static func command(_ folder: String, forOwnerOf parent: String) -> String? {
        guard let owner = FileOwner(of: parent), owner.user != geteuid() else { return nil }
        return command([folder], for: owner)
    }

    /// System users get the folders with the group of their name.
    static func command(_ folders: [String], for owner: FileOwner) -> String {
        let user = FileOwner.login(of: owner.user)
        let group = isRootOrPerson(owner) ? "" : "-g \(user) "
        return "sudo install -d -o \(user) \(group)\(folders.map { Text.quoted($0) }.joined(separator: " "))"
    }

    private static func isRootOrPerson(_ owner: FileOwner) -> Bool { owner.user == 0 || owner.isPerson }

    /// Whether the folder is missing and the current user can make it.
    private static func canMake(_ folder: String) -> Bool {
        access(folder, F_OK) != 0 && errno == ENOENT && access(FileSystem.nearest(folder), W_OK | X_OK) == 0
    }
}
