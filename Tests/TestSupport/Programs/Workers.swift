import Apod
import Files
package import Glibc

/// The processes of the worker that this one has started.
package func workers() -> [pid_t] {
    ((try? Folder.open("/proc").names()) ?? []).compactMap { pid_t($0) }.filter { id in
        let fields = facts(of: id)
        return isRunning(id) && fields[1].hasPrefix("(apod-thumb") && fields[3] == "\(getpid())"
    }
}

/// The processor time that a process has used, in hundredths of a second.
package func work(of id: pid_t) -> Int { facts(of: id)[13...14].reduce(0) { $0 + (Int($1) ?? 0) } }

/// One whose end nobody has asked for counts as gone.
package func isRunning(_ id: pid_t) -> Bool { !["", "Z"].contains(facts(of: id)[2]) }

/// The fields of proc(5)'s `stat`, or as many empty ones.
private func facts(of id: pid_t) -> [Substring] {
    let bytes = (try? File.reading("/proc/\(id)/stat").stream()) ?? []
    let fields = bytes.text.split(separator: " ")
    return fields.count > 14 ? fields : Array(repeating: "", count: 15)
}
