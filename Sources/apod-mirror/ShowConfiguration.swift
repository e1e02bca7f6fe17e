import Service

/// `apod-mirror config`
struct ShowConfiguration {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() -> ExitStatus {
        let lines = Setting.all.map { ("\($0.key) = \($0.show(configuration.settings))", configuration.origin(of: $0)) }
        let width = min(60, lines.map(\.0.count).max() ?? 0)
        for (line, origin) in lines {
            let gap = String(repeating: " ", count: max(0, width - line.count))
            Terminal.print(Terminal.visible("\(line)\(gap)  # \(origin)").replacing("\n", with: " "))
        }
        return .done
    }
}
