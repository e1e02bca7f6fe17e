import Apod
import Testing

struct NamedDayTests {
    @Test(
        "A day that is written for people is read",
        arguments: [
            ("2015 june 03", "2015-06-03"), ("3 Sept. 2026", "2026-09-03"),
        ]
            + [
                "2023 Feb 29", "2015 June", "2015 Ju 3", "June 3 4 2015", "2015 Juneau 3",
                "999999999999999999999 June 3", "-2015 June -3",
            ].map { ($0, nil) } as [(String, String?)])
    func written(text: String, day: String?) { #expect(Day(written: text)?.description == day) }

    @Test(
        "A day stands in an article's address",
        arguments: [
            ("image-article/apod-2026-september-16-webb/", "2026-09-16"), ("apod/ap260916.html", "2026-09-16"),
            ("apod-1995-june-16-x?y=apod-2000-may-5-z", "1995-06-16"), ("apod/ap269916.html", nil), ("", nil),
            ("apod-x-y-z-w/", nil), ("ap-12345.html", nil),
        ])
    func articles(path: String, day: String?) {
        #expect(Day(article: WebAddress("https://h/\(path)")!)?.description == day)
    }

    @Test(
        "The days that a text speaks of are those whose pages its links lead to",
        arguments: [
            (
                #"<a href="ap130630.html">a</a> <A HREF = 'http://antwrp.gsfc.nasa.gov/apod/ap950616.html'>b</A>"#,
                ["1995-06-16", "2013-06-30"]
            ),
            (
                #"<a target=_blank href=ap010203.html>a</a><a title="href" href="/apod/ap010203.html#t">b"#,
                ["2001-02-03"]
            ),
            (#"<a href="ap150603.html">itself</a> <a href="apod.html">x</a> <a href="image/1006/apple.jpg">y"#, []),
            (
                #"ap130630.html, href="" and <a href=>nothing</a> <a href="ap999999.html">no day</a> <a href="ap130630"#,
                []
            ),
            (
                #"Tomorrow <a href='ap130630.html'>it</a> rises. <b>Tomorrow&#8217;s picture: </b><a href="ap150604.html">x"#,
                ["2013-06-30"]
            ),
            ("<a href='ap130630.html", ["2013-06-30"]),
        ])
    func spoken(html: String, days: [String]) {
        #expect(LinkedDays.days(in: html, of: Day("2015-06-03")!).sorted().map(\.description) == days)
    }
}
