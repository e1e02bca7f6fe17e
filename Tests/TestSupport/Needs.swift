package import Apod
import Glibc

// The stand-in, which is built for itself too, has no tests.
#if canImport(Testing)
    package import Testing

    /// What a test needs, and is skipped without.
    extension Trait where Self == ConditionTrait {
        package static var root: Self { .enabled(if: geteuid() == 0, "needs root") }
        package static var disks: Self { .enabled(if: Disk.canBeMade, "needs root and mount(2)") }
        package static var powerCuts: Self { .enabled(if: PowerDisk.canBeMade, "needs root and loop devices") }
        package static var firmFolders: Self {
            .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files")
        }
    }

    extension Trait where Self == TimeLimitTrait {
        package static var patience: Self { .timeLimit(.minutes(10)) }
    }
#endif

package func address(_ text: String) -> WebAddress { WebAddress(text)! }

/// The files of a day with a video.
package let film: [(StoredFile.Role, MediaType)] = [(.video, .mp4), (.poster, .jpeg)]
