# Asks a mirror on the web as programs do that were written for NASA's servers, or that WEB.md has lines for.
#
# usage: programs.py nasapy|scraper ORIGIN NEWEST DATE…
#        programs.py home-assistant|glance|mmm-apod|inky-frame ORIGIN TITLE FILE, the lines being in the file
import json
import re
import subprocess
import sys
import urllib.parse
import urllib.request

kind, origin, *words = sys.argv[1:]


def expect(is_right, what):
    if not is_right:
        sys.exit(f"{kind}: {what}")


def fetched(address):
    # The bytes, and their type.
    with urllib.request.urlopen(address, timeout=20) as answer:
        return answer.read(), answer.headers["Content-Type"]


def day_of(address):
    return json.loads(fetched(address)[0])


def is_jpeg(address):
    return fetched(address)[0].startswith(b"\xff\xd8")


def jpeg(address, size):
    # A baseline JPEG, as small programs decode it: an SOF0 of the size.
    frame = re.search(rb"\xff\xc0\x00\x11\x08(....)", fetched(address)[0], re.DOTALL)
    expect(frame, f"{address} is no baseline JPEG")
    found = int.from_bytes(frame[1][2:]), int.from_bytes(frame[1][:2])
    expect(found == size, f"{address} has {found}")


def nasapy(*dates):
    import nasapy
    import requests

    nasa = nasapy.Nasa(key="DEMO_KEY")
    nasa.host = origin
    expect(nasa.picture_of_the_day()["date"] == dates[0], "another one is the newest")
    for date in dates:
        for hd in (True, False):
            day = nasa.picture_of_the_day(date, hd=hd)
            expect(day["date"] == date and day["title"] and day["explanation"], f"{date}: {day}")
            expect(day["media_type"] == "image" and day["service_version"] == "v1" and is_jpeg(day["hdurl"]), f"{date}: {day}")
    try:
        expect(not nasa.picture_of_the_day("1995-06-10"), "a day before the first is answered")
    except requests.exceptions.HTTPError:
        pass


def scraper(*dates):
    from bs4 import BeautifulSoup

    def read(page):
        return BeautifulSoup(fetched(f"{origin}/apod/{page}")[0], "html.parser")

    pages = [f"ap{date[2:].replace('-', '')}.html" for date in dates]
    for page in ["astropix.html", *pages]:
        soup = read(page)
        expect(soup.find("b").text.strip() and "Explanation:" in soup.text, f"{page}: no title, or no explanation")
        expect(is_jpeg(urllib.parse.urljoin(f"{origin}/apod/", soup.find("img")["src"])), f"{page}: no picture")
    named = [row["href"] for row in read("archivepix.html").find_all("a") if row["href"].startswith("ap")]
    expect(named[:len(dates)] == pages, f"the archive lists {named[:4]}")


def home_assistant(title, lines):
    import jinja2
    import yaml

    for resource in yaml.safe_load(lines)["rest"]:
        day = day_of(resource["resource"])
        for sensor in resource["sensor"]:
            shown = jinja2.Template(sensor["value_template"]).render(value_json=day)
            expect(shown == title[:255], shown)
            known = {"date", "title", "explanation", "media_type", "url", "hdurl", "copyright", "thumbnail_url"}
            names = set(sensor["json_attributes"])
            expect(names <= known and {"date", "explanation", "url"} <= names & set(day), f"{names}, {list(day)}")
    jpeg(f"{origin}/latest.jpg?width=1920&height=1080", (1920, 1080))


def glance(title, lines):
    import yaml

    for widget in yaml.safe_load(lines):
        day = day_of(widget["url"])
        expect(all(day[name] for name in re.findall(r'\.JSON\.String "(\w+)"', widget["template"])), list(day))
        for address in re.findall(r'src="([^"]+)"', widget["template"]):
            jpeg(address, (800, 500))


def mmm_apod(title, lines):
    # It asks for apiBase + planetary/apod?api_key=APPID.
    script = f"console.log(JSON.stringify([{lines}]))"
    for module in json.loads(subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout):
        day = day_of(f"{module['config']['apiBase']}planetary/apod?api_key={module['config']['appid']}")
        expect(day["title"] == title and day["media_type"] == "image", day)
        expect(fetched(day["url"])[1].startswith("image/"), day["url"])


def inky_frame(title, lines):
    names = {}
    exec(lines, names)
    expect(day_of(names["API_URL"])["title"] == title, "another title")
    jpeg(names["IMG_URL"], (800, 480))


if kind not in ("nasapy", "scraper"):
    with open(words[1]) as file:
        words[1] = file.read()
globals()[kind.replace("-", "_")](*words)
