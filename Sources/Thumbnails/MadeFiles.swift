/// The smaller copies of one picture.
struct MadeFiles {
    /// Those in `gallery`.
    var screens: [[UInt8]] = []
    var shared: [PNG] = []
}
