/// One of a day's pictures: the first, or a further one by the number in its file's name.
package struct DayPicture: Hashable, Sendable {
    package let day: Day
    package let number: Int

    package init(_ day: Day, _ number: Int = 1) { (self.day, self.number) = (day, number) }
}
