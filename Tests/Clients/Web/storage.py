# Reads a mirror's folder from object storage: storage.py feed|gallery ROOT ADDRESS
import os
import sys
import urllib.parse

from asking import expect, fetched

kind, root, origin = sys.argv[1:]


def feed():
    import feedparser

    parsed = feedparser.parse(f"{origin}/feed.xml")
    expect(not parsed.bozo and len(parsed.entries) == 3, f"{len(parsed.entries)} entries, {parsed.get('bozo_exception')}")
    from lxml import html

    for entry in parsed.entries:
        named = [link.href for link in entry.links if link.rel != "via"]
        named += html.fromstring(f"<div>{entry.content[0].value}</div>").xpath("//img/@src")
        expect(len(named) >= 2, f"{entry.title}: {named}")
        for address in {urllib.parse.urldefrag(name).url for name in named}:
            address = urllib.parse.urljoin(f"{origin}/feed.xml", address)
            path = urllib.parse.unquote(urllib.parse.urlsplit(address).path[len(urllib.parse.urlsplit(origin).path):])
            with open(root + path, "rb") as file:
                expect(fetched(address)[0] == file.read(), f"{address} is another file")


def gallery():
    from playwright.sync_api import sync_playwright

    newest, video = sorted(os.listdir(f"{root}/2019/05"))[-1][:10], "2019-04-30"
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]).new_page()
        failed = []
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(f"{origin}/index.html#{newest}")
        page.wait_for_function("newest => [...document.images].some(image => image.naturalWidth && image.currentSrc.includes(newest))", arg=newest)
        page.goto(f"{origin}/index.html#{video}")
        page.reload()
        page.wait_for_function("() => document.querySelector('video')?.readyState > 0 || document.querySelector('video')?.poster")
        page.goto(f"{origin}/index.html#favorites")
        page.reload()
        page.wait_for_function("() => document.querySelectorAll('a img, button img').length >= 2")
        expect(not failed, failed)


{"feed": feed, "gallery": gallery}[kind]()
