import Testing

@testable import Apod

struct LinkedDaysTests {
    private static let own = Day("2015-06-03")!

    @Test(
        "The days that a text speaks of are those whose pages its links lead to",
        arguments: [
            (#"See <a href="https://apod.nasa.gov/apod/ap130630.html">craters</a>."#, ["2013-06-30"]),
            (
                #"<a href="ap130630.html">a</a> <A HREF = 'http://antwrp.gsfc.nasa.gov/apod/ap950616.html'>b</A>"#,
                ["1995-06-16", "2013-06-30"]
            ),
            (
                #"<a href="https://science.nasa.gov/image-article/apod-2026-june-10-the-eagle-nebula-and-friends/">a</a>"#,
                ["2026-06-10"]
            ),
            (#"<a target=_blank href=ap010203.html>a</a><a href="ap010203.html#top">again</a>"#, ["2001-02-03"]),
            (#"<a title="href" href="/apod/ap010203.html">a</a>"#, ["2001-02-03"]),
            (
                #"<a href="ap150603.html">itself</a> <a href="apod.html">x</a> <a href="image/1006/apple_big.jpg">y</a>"#,
                []
            ),
            (
                #"ap130630.html, href="" and <a href=>nothing</a> <a href="ap999999.html">no day</a> <a href="ap130630"#,
                []
            ),
            (
                #"<a href="ap130630.html">a</a><br><br><b> Tomorrow's picture: </b><a href="ap150604.html">more</a>"#,
                ["2013-06-30"]
            ),
            (
                #"Tomorrow <a href="ap130630.html">it</a> rises. <b>Tomorrow&#8217;s picture: </b><a href="ap150604.html">more</a>"#,
                ["2013-06-30"]
            ),
            ("<a href='ap130630.html", ["2013-06-30"]),
            ("", []),
        ])
    func table(html: String, days: [String]) {
        #expect(LinkedDays.days(in: html, of: Self.own).sorted().map(\.description) == days)
    }
}
