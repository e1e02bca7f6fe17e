#!/usr/bin/python3
# Reads the feed of a mirror, as feedparser does and as RFC 4287 asks for: feed.py FOLDER
#
# What is wrong is printed, and then the entries' dates and titles as a feed reader shows them, after `# `.
import re
import sys
import urllib.parse
from os.path import abspath, dirname, getsize, isfile, join

import feedparser
from lxml import etree, html

HERE = dirname(abspath(__file__))
ATOM = {"a": "http://www.w3.org/2005/Atom"}
# What the RFC says in words only.
RULES = {
    "4.1.1: two alternates of one kind": "not(//a:link[@rel='alternate'][@type = preceding-sibling::a:link[@rel='alternate']/@type])",
    "4.1.2: neither content nor alternate": "not(//a:entry[not(a:content or a:link[@rel='alternate'])]) and a:link[@rel='alternate']",
    "4.1.1: no author": "boolean(a:author)", "4.1.1: not one link to itself": "count(a:link[@rel='self']) = 1",
    "4.1.1: one id for two entries": "not(//a:entry[a:id = preceding-sibling::a:entry/a:id])"}


def check(holds, words):
    if not holds:
        print(words)


def main():
    root = abspath(sys.argv[1])
    path = join(root, "feed.xml")
    tree = etree.parse(path)
    schema = etree.RelaxNG(etree.parse(join(HERE, "atom.rng")))
    check(schema.validate(tree), f"RFC 4287: {schema.error_log}")
    beyond_schema(tree)
    parsed = feedparser.parse(path)
    check(not parsed.bozo, f"feedparser: {parsed.get('bozo_exception')}")
    check(len(parsed.entries) <= 30, "more than 30 days")
    check(parsed.version == "atom10", f"feedparser takes it for {parsed.version}")
    for entry in parsed.entries:
        print(f"# {entry.published[:10]} {entry.title}")
    for entry in tree.iterfind("a:entry", ATOM):
        links(entry, root)


def beyond_schema(tree):
    for words, path in RULES.items():
        check(tree.xpath(path, namespaces=ATOM), words)
    days, updated = (tree.xpath(f"//a:entry/a:{name}/text()", namespaces=ATOM) for name in ("published", "updated"))
    check(days == sorted(days, reverse=True), "not the newest first")
    check(tree.findtext("a:updated", namespaces=ATOM) == max(updated, default="1995-06-16T12:00:00Z"),
          "it was not updated when its newest entry was")


def links(entry, root):
    # Nothing but the day's page at NASA, and what its words lead to, is elsewhere.
    address = entry.find("a:link[@rel='via']", ATOM).get("href")
    check(re.fullmatch(r"https?://.*", address), f"{address} is no address")
    content = html.fromstring(f"<div>{entry.findtext('a:content', namespaces=ATOM)}</div>")
    check(not content.xpath("//script | //*[@onerror] | //b"), f"{address}: the words are read as HTML")
    check(content.xpath("count(//p)") >= 1, f"{address}: no words")
    own = [link.get("href") for link in entry.iterfind("a:link", ATOM) if link.get("rel") != "via"]
    for link in own + content.xpath("//img/@src"):
        parts = urllib.parse.urlsplit(link)
        file = join(root, urllib.parse.unquote(parts.path))
        check(not parts.scheme and not parts.netloc and not link.startswith("/"), f"{link} is not relative")
        check(isfile(file), f"{link} leads nowhere")
    for link in entry.iterfind("a:link[@rel='enclosure']", ATOM):
        file = join(root, urllib.parse.unquote(link.get("href")))
        check(getsize(file) == int(link.get("length")), f"{link.get('href')} is not so long")


if __name__ == "__main__":
    main()
