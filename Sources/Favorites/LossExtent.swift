/// What else has gone where the folder is gone or another one, or all went while nobody looked.
enum LossExtent {
    /// What went one by one right before that, which was not meant either.
    case goesOn
    /// That, and what goes next.
    case begins
}
