# Reads a mirror on the web as programs do that were written for NASA's servers.
#
# usage: web.py nasapy|scraper ORIGIN NEWEST DATE…

import sys

from asking import expect, fetched

kind, origin, *dates = sys.argv[1:]


def bytesOf(address):
    return fetched(address)[0]


if kind == "nasapy":
    import nasapy
    import requests

    nasa = nasapy.Nasa(key="DEMO_KEY")
    nasa.host = origin
    newest = nasa.picture_of_the_day()
    expect(newest["date"] == dates[0], f"the newest is {newest['date']}")
    for date in dates:
        for hd in (True, False):
            day = nasa.picture_of_the_day(date, hd=hd)
            expect(day["date"] == date and day["title"] and day["explanation"], f"{date}: {day}")
            expect(day["media_type"] == "image" and day["service_version"] == "v1", f"{date}: {day}")
            expect(bytesOf(day["hdurl"])[:2] == b"\xff\xd8", f"{date}: its picture")
    try:
        nasa.picture_of_the_day("1995-06-10")
        expect(False, "a day before the first is answered")
    except requests.exceptions.HTTPError:
        pass
else:
    from bs4 import BeautifulSoup

    pages = [("astropix.html", dates[0])] + [(f"ap{date[2:].replace('-', '')}.html", date) for date in dates]
    for page, date in pages:
        soup = BeautifulSoup(bytesOf(f"{origin}/apod/{page}"), "html.parser")
        picture = soup.find("img")
        title = soup.find("b")
        expect(title and title.text.strip(), f"{page}: no title")
        expect(picture and bytesOf(f"{origin}/apod/{picture['src']}"
                                   if "://" not in picture["src"] else picture["src"])[:2] == b"\xff\xd8", f"{page}: no picture")
        expect("Explanation:" in soup.text, f"{page}: no explanation")
    rows = BeautifulSoup(bytesOf(f"{origin}/apod/archivepix.html"), "html.parser").find_all("a")
    named = [row["href"] for row in rows if row["href"].startswith("ap")]
    expect(named[: len(dates)] == [page for page, _ in pages[1:]], f"the archive lists {named[:4]}")
