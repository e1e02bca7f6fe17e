import TestSupport
import Testing

@Suite("The installer")
struct InstallerTests {
    @Test("ends what keeps sudo awake without a word, however soon")
    func sudo() async throws {
        let script = """
            for n in {1..150}; do bash -c '
                set -euo pipefail
                . "$0/people.sh"
                finish() { let_sudo_forget; }
                trap finish EXIT
                keep_sudo
                /bin/true' "$0"
            done
            """
        let outcome = try await Program.run(
            "/bin/bash", ["-c", script, ManualTests.folder], environment: ["PATH": "/usr/bin:/bin"],
            limit: .seconds(60))
        #expect(outcome.status == 0 && outcome.output + outcome.errors == "", "\(outcome)")
    }
}
