import Testing

@testable import Apod

struct NamedDayTests {
    @Test(
        "Days written for people are read",
        arguments: [
            ("2015 June 3", "2015-06-03"), ("2015 june 03", "2015-06-03"), ("June 16, 1995", "1995-06-16"),
            ("3 Sept. 2026", "2026-09-03"), ("2023 Feb 29", nil), ("2015 June", nil), ("2015 Ju 3", nil),
            ("June 3 4 2015", nil), ("2015 Juneau 3", nil), ("2015 6 3", nil), ("on 2015 June 3", nil),
            ("999999999999999999999 June 3", nil), ("-2015 June -3", nil), ("June June 3", nil),
        ])
    func written(text: String, day: String?) {
        #expect(Day(written: text) == day.flatMap { Day($0) })
    }

    @Test(
        "Days written for people stand in articles' addresses",
        arguments: [
            ("https://h/image-article/apod-2026-september-16-webb/", "2026-09-16"),
            ("https://h/apod-1995-june-16-x?y=apod-2000-may-5-z", "1995-06-16"),
            ("https://h/ap950616.html", "1995-06-16"),
            ("https://h/apod/ap260916.html", "2026-09-16"), ("https://h/apod/ap269916.html", nil), ("https://h/", nil),
            ("https://h/apod-x-y-z-w/", nil), ("https://h/ap-12345.html", nil), ("https://h/apod/image/a.jpg", nil),
        ])
    func articles(text: String, day: String?) {
        #expect(Day(article: WebAddress(text)!) == day.flatMap { Day($0) })
    }
}
