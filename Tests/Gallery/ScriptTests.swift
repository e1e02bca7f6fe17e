import Apod
import TestSupport
import Testing

struct ScriptTests {
    /// They share one scope, in which a later function of a name takes the place of an earlier one without a word.
    @Test("The page's scripts and styles have no name twice")
    func names() throws {
        let folder = "\(Places.packageRoot)/Sources/Gallery/Page"
        var files: [Substring: [String]] = [:]
        for file in listing(folder) where file.hasSuffix(".js") {
            let text = (try contents("\(folder)/\(file)")).text
            let declaration = #/(?:async function|function|class|const|let) \[?(\w+(?:, \w+)*)/#
            for line in text.split(separator: "\n") {
                guard let match = line.prefixMatch(of: declaration) else { continue }
                for name in match.1.split(separator: ", ") { files[name, default: []].append(file) }
            }
        }
        #expect(files.count > 100)
        #expect(files.filter { $0.value.count > 1 } == [:])
    }
}
