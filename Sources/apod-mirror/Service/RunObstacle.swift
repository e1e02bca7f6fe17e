import Apod
import Archive
import Configuration
import Control
import Files
import Glibc

/// Why `run` cannot keep the mirror: a service does so already, or permissions forbid it.
struct RunObstacle: CustomStringConvertible {
    let description: String

    init?(_ settings: Settings) {
        let environment = Environment.current
        let own = "\(settings.root)/\(Tree.ownFolder)"
        let service = ControlClient.status(root: settings.root, environment: environment)
        // A user outside the group cannot ask the service.
        if service != nil || Archive.announcement(root: settings.root) != nil {
            let process = service.map { " (process \($0.process))" } ?? ""
            description = """
                a service keeps \(Text.shown(settings.root)) already\(process): `apod-mirror status` tells what it does
                """
            return
        }
        // Under systemd, the service waits until the folder belongs to it again.
        if environment["INVOCATION_ID"] != nil, environment["NOTIFY_SOCKET"] != nil { return nil }
        do throws(ArchiveError) { try Archive.checkVisible(root: settings.root, state: nil) } catch {
            description = error.told(in: settings.root)
            return
        }
        if let owner = FileOwner(of: own), owner.user != geteuid(), access(own, W_OK) != 0, errno == EACCES {
            description =
                ArchiveError.foreign(root: settings.root, owner: owner.name).explained(for: settings)
                .told(in: settings.root)
        } else if KnownRoots(environment: environment).haveLost(settings.root) {
            // The service waits for the disk.
            return nil
        } else if let closed = ArchiveError.closed(to: settings) {
            description = closed.told(in: settings.root)
        } else {
            return nil
        }
    }
}
