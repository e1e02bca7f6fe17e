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

    /// What a function of the service's says, with these words before it.
    private func told(_ script: String, home: TemporaryFolder) async throws -> String {
        let outcome = try await Program.run(
            "/bin/bash",
            [
                "-c",
                "set -euo pipefail; person= installer=systemd/install; . \"$0/people.sh\"; . \"$0/service.sh\"; \(script)",
                ManualTests.folder,
            ],
            environment: ["PATH": "/usr/bin:/bin", "HOME": home.path], limit: .seconds(10))
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
        return outcome.output
    }

    @Test("says how a service of one's own runs always only where it does not", arguments: ["yes", "no", ""])
    func lingering(state: String) async throws {
        let script = """
            scope=user root=/r settings=/s prefix=/usr joined=no sudo=() unit=/u additions=/a
            for_each_file() { :; }; tell_files() { :; }; loginctl() { echo \(state); }; tell
            """
        let told = try await told(script, home: TemporaryFolder())
        #expect(told.contains("\npictures") || told.hasPrefix("pictures"))
        #expect(told.contains("loginctl enable-linger") == (state != "yes"), "\(told)")
    }

    @Test(
        "says that a service waits where it does, and for what",
        arguments: [
            ("waiting: /mnt/x has no mirror", "apod-mirror is started, and waits: /mnt/x has no mirror"),
            ("newest day 2026-11-20", "apod-mirror runs."), ("", "apod-mirror runs."),
        ])
    func waiting(status: String, words: String) async throws {
        let script = "scope=user; systemctl() { echo '\(status)'; }; tell_start"
        #expect(try await told(script, home: TemporaryFolder()) == "\(words)\n")
    }

    /// As it installs for a person, without a program.
    private static let places = """
        . "$0/files.sh"; . "$0/folders.sh"; scope=user action=install prefix= here=$0 sudo=() program=/bin/true
        die() { echo "$*"; exit 1; }
        find_places
        install_files 2>/dev/null || :
        mkdir -p "$units/default.target.wants"; ln -s "$unit" "$units/default.target.wants/"; echo >"$settings"
        """

    @Test("lists all that it has made, also where it is enabled and what a person may change")
    func made() async throws {
        let home = try TemporaryFolder()
        let told = try await told("\(Self.places); tell_files", home: home)
        let (config, share) = (home.appending(".config"), home.appending(".local/share"))
        let files = [
            "\(config)/apod-mirror.conf", "\(share)/apod-mirror/folders",
            "\(config)/systemd/user/apod-mirror.service", "\(share)/man/man1/apod-mirror.1",
            "\(config)/systemd/user/default.target.wants/apod-mirror.service",
        ]
        for file in files { #expect(told.contains("           \(file)\n"), "\(file): \(told)") }
    }

    @Test("takes away with the service all folders that it has made for it, and no others", arguments: [false, true])
    func folders(hasOthers: Bool) async throws {
        let home = try TemporaryFolder()
        let others = hasOthers ? "mkdir -p ~/.config/systemd/user ~/.local/share/man; : >~/.config/other;" : ""
        let uninstall = """
            rm -r "$units/default.target.wants" "$settings"; mkdir -p ~/.local/state/apod-mirror
            root=/r usual_root=/r; echo /r >~/.local/state/apod-mirror/roots; remove_files; forget_root
            find ~ -mindepth 1 -printf '%P\\n' | sort
            """
        let told = try await told("\(others) \(Self.places); \(uninstall)", home: home)
        let left =
            hasOthers
            ? [
                ".config", ".config/other", ".config/systemd", ".config/systemd/user", ".local", ".local/share",
                ".local/share/man", ".local/state",
            ] : [".local", ".local/state"]
        #expect(told == left.map { "\($0)\n" }.joined(), "\(told)")
    }

    @Test("names the other kind of service only where there is one", arguments: [false, true])
    func absence(isThere: Bool) async throws {
        let home = try TemporaryFolder()
        let units = home.appending(".config/systemd/user")
        let making = isThere ? "mkdir -p '\(units)'; : >'\(units)/apod-mirror.service';" : ""
        let told = try await told("\(making) scope=system; tell_absence", home: home)
        #expect(told.hasPrefix("No service of this machine is installed.\n"))
        #expect(told.contains("systemd/install --user --uninstall") == isThere, "\(told)")
    }

    @Test(
        "names the machine's service only to members of its group", .enabled(if: Disk.canBeMade),
        arguments: ["ann", "bob"])
    func others(person: String) async throws {
        // In /etc as nobody else sees it.
        let script = """
            mount -t tmpfs none /etc && mkdir -p /etc/systemd/system && : >/etc/systemd/system/apod-mirror.service
            echo 'apod-mirror:x:4321:ann' >/etc/group; echo 'group: files' >/etc/nsswitch.conf
            . "$0/people.sh"; . "$0/service.sh"; scope=user person=\(person); tell_absence
            """
        let words = ["--mount", "bash", "-c", script, ManualTests.folder]
        let outcome = try await Program.run("/usr/bin/unshare", words, environment: ["PATH": "/usr/bin:/bin"])
        let advice = "For the machine's: systemd/install --uninstall\n"
        #expect(
            outcome.output == "No service of your own is installed.\n" + (person == "ann" ? advice : ""), "\(outcome)")
    }
}
