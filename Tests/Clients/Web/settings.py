# Reads lines of WEB.md as their programs do, and asks for what they name: settings.py KIND ORIGIN TITLE FILE
import json
import re
import subprocess
import sys

from asking import expect, fetched

kind, origin, title, path = sys.argv[1:]


def settings():
    import yaml

    with open(path) as file:
        return yaml.safe_load(file)


def jpeg(address, size):
    # A baseline JPEG, as small programs decode it: an SOF0 of the size.
    content, kind = fetched(address)
    expect(kind == "image/jpeg", kind)
    frame = re.search(rb"\xff\xc0\x00\x11\x08(....)", content, re.DOTALL)
    expect(frame, f"{address} is no baseline JPEG")
    height, width = int.from_bytes(frame[1][:2]), int.from_bytes(frame[1][2:])
    expect((width, height) == size, f"{width}x{height}")


def home_assistant():
    import jinja2

    for resource in settings()["rest"]:
        day = json.loads(fetched(resource["resource"])[0])
        for sensor in resource["sensor"]:
            shown = jinja2.Template(sensor["value_template"]).render(value_json=day)
            expect(shown == title[:255], shown)
            known = ["date", "title", "explanation", "media_type", "url", "hdurl", "copyright", "thumbnail_url"]
            expect(set(sensor["json_attributes"]) <= set(known), sensor["json_attributes"])
            expect({"date", "explanation", "url"} <= set(sensor["json_attributes"]) & set(day), list(day))
    jpeg(f"{origin}/latest.jpg?width=1920&height=1080", (1920, 1080))


def glance():
    for widget in settings():
        day = json.loads(fetched(widget["url"])[0])
        expect(all(day[name] for name in re.findall(r'\.JSON\.String "(\w+)"', widget["template"])), list(day))
        for address in re.findall(r'src="([^"]+)"', widget["template"]):
            jpeg(address, (800, 500))


def mmm_apod():
    # It asks for apiBase + planetary/apod?api_key=APPID.
    with open(path) as file:
        words = file.read()
    told = subprocess.run(
        ["node", "-e", f"console.log(JSON.stringify([{words}]))"], capture_output=True, text=True, check=True).stdout
    for module in json.loads(told):
        setting = module["config"]
        day = json.loads(fetched(f"{setting['apiBase']}planetary/apod?api_key={setting['appid']}")[0])
        expect(day["title"] == title and day["media_type"] == "image", day)
        expect(fetched(day["url"])[1].startswith("image/"), day["url"])


def inky_frame():
    names = {}
    with open(path) as file:
        exec(file.read(), names)
    expect(json.loads(fetched(names["API_URL"])[0])["title"] == title, "another title")
    jpeg(names["IMG_URL"], (800, 480))


def feed():
    told = subprocess.run(
        ["/usr/bin/python3", "-c", "import feedparser, sys; print(feedparser.parse(sys.argv[1]).entries[0].title)",
         f"{origin}/feed.xml"], capture_output=True, text=True, check=True).stdout
    expect(told.strip() == title, told)


globals()[kind.replace("-", "_")]()
