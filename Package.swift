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
    products: [.executable(name: "apod-mirror", targets: ["apod-mirror"])],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

        library("Apod"),
        library("Files", "Apod", "CCrypto", "CLinux"),
        library("Fetching", "Apod", "Files", "CCurl"),
        library("Upstream", "Apod", "Fetching", "CXML"),
        library("Archive", "Apod", "Files", "CSQLite"),
        library("Favorites", "Apod", "Files", "Archive", "CInotifyTools", "CLinux"),
        library("Service", "Apod", "Files", "Fetching", "Upstream", "Archive", "Favorites", "CSystemd"),
        .executableTarget(
            name: "apod-mirror", dependencies: ["Apod", "Archive", "Favorites", "Files", "Service"],
            swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["Apod", "Archive", "Files"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .executableTarget(
            name: "benchmark-upstream", dependencies: ["TestSupport"], path: "Tests/Benchmarks/Upstream",
            swiftSettings: strict),
        .executableTarget(
            name: "soak-service", dependencies: ["Apod", "Fetching", "Files", "Service"], path: "Tests/Soak",
            swiftSettings: strict),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport"], path: "Tests/TestSupportTests",
            swiftSettings: strict),
        tests("Apod"),
        tests("Files", "TestSupport"),
        tests("Fetching", "TestSupport"),
        tests("Upstream", "TestSupport"),
        tests("Archive", "TestSupport"),
        tests("Favorites", "Archive", "Files", "TestSupport"),
        tests("Service", "CSQLite", "TestSupport", "soak-service"),
        .testTarget(
            name: "CommandTests", dependencies: ["apod-mirror", "Archive", "Favorites", "Files", "TestSupport"],
            path: "Tests/Command",
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
