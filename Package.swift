// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // pkg-config would also link libxml2, which is opened late (CLinux/library.h), as libcurl and libsystemd are.
    .unsafeFlags(["-Xcc", "-I/usr/include/libxml2"]),
]

// All programs are linked by the toolchain's own linker, which is faster than the system's, and is always there. The other
// options make a start shorter: relocations take a tenth of the room, and no symbols are told to libraries.
let linker: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld"] + ["-z", "pack-relative-relocs", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] })
]

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linker)
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
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CSandbox"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CXML", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // What a day is: values, JSON, names.
        library("Apod"),
        // Files and folders, by descriptor; threads, sleep, blocking work.
        library("Files", "Apod", "CCrypto", "CLinux"),
        // The folder and its catalog: stores, finds, deletes and checks days, and remembers the favorites.
        .target(
            name: "Store", dependencies: ["Apod", "Files", "CSQLite"],
            resources: [.embedInCode("Catalog/schema.sql")], swiftSettings: strict),
        // Transfers through libcurl.
        library("Fetching", "Apod", "Files", "CCurl"),
        // NASA's records, read as pictures.
        library("Upstream", "Apod", "Fetching", "CXML"),
        // The favorites folder: that something changed, and what that means.
        library("Favorites", "Apod", "Files", "Store", "CInotifyTools", "CLinux"),
        // The settings.
        library("Configuration", "Apod", "Files"),
        // How the program that decodes pictures is asked.
        library("Decoding", "CLinux"),
        // The processes of that program.
        library("Decoders", "Apod", "Files", "Decoding", "CLinux"),
        // Smaller copies of pictures, made by that program.
        library(
            "Thumbnails", "Apod", "Files", "Store", "Decoding", "Decoders", "CZlib"),
        // `index.html` and its data, `feed.xml`, sidecars.
        .target(
            name: "Gallery", dependencies: ["Apod", "Files", "Store"],
            resources: [
                "archive.js", "words.js", "pictures.js", "wall.js", "calendar.js", "search.js", "walls.js", "lists.js",
                "day.js", "page.js", "others.js", "gestures.js", "motion.js", "viewer.js", "frame.js", "slideshow.js",
                "gallery.js", "served.js", "help.js", "gallery.css", "viewer.css", "icon.svg", "index.html",
            ].map { .embedInCode("Page/\($0)") }, swiftSettings: strict),
        // One refresh, from a request to stored days.
        library(
            "Syncing", "Apod", "Files", "Store", "Fetching", "Upstream", "Favorites", "Configuration", "Thumbnails"),
        // The service: its schedule, older days, deletion, systemd; what commands ask it, and its answers.
        library(
            "Service", "Apod", "Files", "Store", "Fetching", "Upstream", "Favorites", "Configuration", "Gallery",
            "Syncing", "Thumbnails", "Decoders", "CLinux", "CSystemd"),
        // Requests and answers, through libmicrohttpd.
        library("HTTP", "Apod", "Files", "CMicrohttpd"),
        // What the mirror answers on the web, from the tree and what is published beside it.
        library("Serving", "Apod", "Files", "Decoding", "Decoders", "HTTP", "CLinux", "CZlib"),
        // The command: one file for each sub-command.
        .executableTarget(
            name: "apod-mirror",
            dependencies: [
                "Apod", "Files", "Store", "Favorites", "Configuration", "Gallery", "Syncing", "Thumbnails", "Service",
                "Upstream",
            ],
            resources: [.embedInCode("changelog")],
            swiftSettings: strict),
        // The only program that decodes pictures, locked in.
        .executableTarget(
            name: "apod-thumbnailer", dependencies: ["Decoding", "CVips", "CSandbox"], swiftSettings: strict),

        // The only program that answers the web: it reads what is published, and writes nothing.
        .executableTarget(name: "apod-server", dependencies: ["HTTP", "Serving", "CLinux"], swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["Apod", "Files", "Store", "CZlib"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "TestMirror",
            dependencies: [
                "Apod", "Files", "Store", "Fetching", "Upstream", "Configuration", "Syncing", "TestSupport",
            ], path: "Tests/TestMirror",
            swiftSettings: strict),
        // A NASA of this machine, with invented days: for `systemd/try`, the tests of the machine and the benchmarks.
        .executableTarget(
            name: "apod-stand-in", dependencies: ["Apod", "TestSupport", "CVips"], path: "Tests/StandIn",
            resources: [.embedInCode("film.mp4")], swiftSettings: strict),
        .executableTarget(
            name: "soak-service", dependencies: ["Apod", "Files", "Fetching", "Configuration", "Service"],
            path: "Tests/Soak",
            swiftSettings: strict),
        tests("Apod"),
        tests("Files", "TestSupport"),
        tests("Store", "Files", "TestSupport", "CSQLite"),
        tests("Fetching", "Files", "TestSupport"),
        tests("Upstream", "Fetching", "TestSupport"),
        tests("Favorites", "Files", "Store", "TestSupport"),
        tests("Thumbnails", "Files", "Store", "Decoding", "Decoders", "TestSupport"),
        tests("HTTP", "Files", "TestSupport"),
        tests("Serving", "Files", "Store", "Upstream", "Gallery", "HTTP", "TestSupport"),
        tests("Gallery", "Files", "Store", "TestSupport"),
        tests(
            "Syncing", "Files", "Store", "Fetching", "Upstream", "Favorites", "Configuration", "Service", "TestSupport",
            "TestMirror", "CLinux"),
        tests(
            "Service", "Files", "Store", "Fetching", "Thumbnails", "Upstream", "Favorites", "Configuration", "Syncing",
            "TestSupport", "TestMirror", "soak-service", "apod-mirror"),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "apod-mirror", "apod-server", "Files", "Store", "Favorites", "Configuration", "Decoders", "Syncing",
                "Service", "TestSupport",
            ],
            path: "Tests/Command",
            exclude: ["Transcripts"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
