/// What somebody wants help on.
enum HelpTopic {
    case everything, settings
    case command(Command)
}
