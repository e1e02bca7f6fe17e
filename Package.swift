// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + dependencies, path: "Tests/\(name)",
        swiftSettings: strict)
}

let package = Package(
    name: "apod-mirror",
    products: [
        .executable(name: "apod-mirror", targets: ["apod-mirror"]),
        .executable(name: "apod-thumbnailer", targets: ["apod-thumbnailer"]),
        .executable(name: "apod-server", targets: ["apod-server"]),
    ],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CSandbox"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // What a day is: values, JSON, names.
        library("Apod"),
        // Threads, sleep, blocking work.
        library("Concurrency", "CLinux"),
        // Files and folders, by descriptor.
        library("Files", "Apod", "Concurrency", "CCrypto", "CLinux"),
        // SQLite: days, files, search.
        .target(
            name: "Catalog", dependencies: ["Apod", "Concurrency", "Files", "CSQLite"],
            resources: [.embedInCode("schema.sql")], swiftSettings: strict),
        // The folder: stores, deletes and checks days, and remembers the favorites.
        library("Archive", "Apod", "Concurrency", "Files", "Catalog"),
        // Transfers through libcurl.
        library("Fetching", "Apod", "Concurrency", "Files", "CCurl"),
        // NASA's records, read as pictures.
        library("Upstream", "Apod", "Fetching", "CXML"),
        // The favorites folder: that something changed, and what that means.
        library("Favorites", "Apod", "Concurrency", "Files", "Catalog", "Archive", "CInotifyTools", "CLinux"),
        // The settings.
        library("Configuration", "Apod", "Files"),
        // How the program that decodes pictures is asked.
        library("Decoding", "CLinux"),
        // The processes of that program.
        library("Decoders", "Apod", "Concurrency", "Files", "Decoding", "CLinux"),
        // Smaller copies of pictures, made by that program.
        library(
            "Thumbnails", "Apod", "Concurrency", "Files", "Catalog", "Archive", "Decoding", "Decoders", "CZlib"),
        // `index.html` and its data, `feed.xml`, sidecars.
        .target(
            name: "Gallery", dependencies: ["Apod", "Concurrency", "Files", "Catalog", "Archive"],
            resources: [
                "archive.js", "words.js", "pictures.js", "wall.js", "calendar.js", "search.js", "walls.js", "lists.js",
                "day.js", "page.js", "others.js", "gestures.js", "motion.js", "viewer.js", "frame.js", "slideshow.js",
                "gallery.js", "served.js", "help.js", "gallery.css", "viewer.css", "icon.svg", "index.html",
            ].map { .embedInCode("Page/\($0)") }, swiftSettings: strict),
        // One refresh, from a request to stored days.
        library(
            "Syncing", "Apod", "Concurrency", "Files", "Catalog", "Archive", "Fetching", "Upstream", "Favorites",
            "Configuration", "Thumbnails"),
        // Requests of commands to the service, and its answers.
        library(
            "Control", "Apod", "Concurrency", "Files", "Catalog", "Archive", "Favorites", "Configuration",
            "Gallery", "Syncing", "Thumbnails", "Decoders", "CLinux"),
        // The service: its schedule, older days, deletion, systemd.
        library(
            "Daemon", "Apod", "Concurrency", "Files", "Catalog", "Archive", "Fetching", "Upstream",
            "Favorites", "Configuration", "Gallery", "Syncing", "Thumbnails", "Decoders", "Control",
            "CSystemd"),
        // Requests and answers, through libmicrohttpd.
        library("HTTP", "Concurrency", "Files", "CMicrohttpd"),
        // What the mirror answers on the web, from the tree and what is published beside it.
        library("Serving", "Apod", "Concurrency", "Files", "Decoding", "Decoders", "HTTP", "CLinux", "CZlib"),
        // The command: one file for each sub-command.
        .executableTarget(
            name: "apod-mirror",
            dependencies: [
                "Apod", "Concurrency", "Files", "Catalog", "Archive", "Favorites", "Configuration",
                "Gallery", "Syncing", "Thumbnails", "Control", "Daemon", "Upstream",
            ],
            resources: [.embedInCode("changelog")],
            swiftSettings: strict),
        // The only program that decodes pictures, locked in.
        .executableTarget(
            name: "apod-thumbnailer", dependencies: ["Decoding", "CVips", "CSandbox"], swiftSettings: strict),

        // The only program that answers the web: it reads what is published, and writes nothing.
        .executableTarget(name: "apod-server", dependencies: ["HTTP", "Serving", "CLinux"], swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["Apod", "Concurrency", "Files", "Catalog", "Archive", "CZlib"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "TestMirror",
            dependencies: [
                "Apod", "Concurrency", "Files", "Catalog", "Archive", "Fetching", "Upstream", "Configuration",
                "Syncing", "TestSupport",
            ], path: "Tests/TestMirror",
            swiftSettings: strict),
        // A NASA of this machine, with invented days: for `systemd/try`, the tests of the machine and the benchmarks.
        .executableTarget(
            name: "apod-stand-in", dependencies: ["Apod", "TestSupport", "CVips"], path: "Tests/StandIn",
            swiftSettings: strict),
        .executableTarget(
            name: "soak-service", dependencies: ["Apod", "Concurrency", "Fetching", "Configuration", "Daemon"],
            path: "Tests/Soak",
            swiftSettings: strict),
        tests("Apod"),
        tests("Concurrency", "Files", "TestSupport"),
        tests("Files", "Concurrency", "TestSupport"),
        tests("Catalog", "Concurrency", "Files", "Archive", "TestSupport", "CSQLite"),
        tests("Archive", "Files", "Catalog", "TestSupport"),
        tests("Fetching", "Concurrency", "Files", "TestSupport"),
        tests("Upstream", "Fetching", "TestSupport"),
        tests("Favorites", "Concurrency", "Files", "Catalog", "Archive", "TestSupport"),
        tests("Thumbnails", "Concurrency", "Files", "Catalog", "Archive", "Decoding", "Decoders", "TestSupport"),
        tests("HTTP", "Files", "TestSupport"),
        tests("Serving", "Files", "Catalog", "Archive", "Upstream", "Gallery", "HTTP", "TestSupport"),
        tests("Gallery", "Concurrency", "Files", "Catalog", "Archive", "TestSupport"),
        tests(
            "Syncing", "Concurrency", "Files", "Catalog", "Archive", "Fetching", "Upstream", "Favorites",
            "Configuration", "Daemon", "TestSupport", "TestMirror", "CLinux"),
        tests(
            "Control", "Concurrency", "Files", "Catalog", "Archive", "Syncing", "Thumbnails", "Daemon", "TestSupport"),
        tests(
            "Daemon", "Concurrency", "Files", "Catalog", "Archive", "Fetching", "Upstream", "Favorites",
            "Configuration", "Syncing", "Control", "TestSupport", "TestMirror", "soak-service", "apod-mirror"),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "apod-mirror", "apod-server", "Concurrency", "Files", "Catalog", "Archive", "Favorites",
                "Configuration", "Decoders", "Syncing", "Control", "Daemon", "TestSupport",
            ],
            path: "Tests/Command",
            exclude: ["Transcripts"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
