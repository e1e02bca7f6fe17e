/// What the program returns to the shell.
enum ExitStatus: Int32 {
    case done = 0
    /// Something could not be done; standard error says what.
    case incomplete = 1
    case usage = 2
}
