"""The page as Sources/Gallery/Look.swift joins it, for who has no mirror at hand."""
import os
import re

GALLERY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/Gallery")
# Invented puts its own years, its newest day and its first picture in their place.
MARKS = {"mark": "", "version": "?v=1", "years": '<a href="#2000" data-days="h">2000</a>\n',
         "first": '<link rel="preload" as="image" href="gallery/2000/2000-01-01-1280.jpg">\n',
         "newest": '<script src="gallery/data/2000.js?v=1" defer></script>\n'}


def text(name):
    with open(os.path.join(GALLERY, name), encoding="utf-8") as file:
        return file.read()


def script(parts):
    lines = "".join(text(f"Page/{part}.js") for part in parts).split("\n")
    return "".join(f"{line.lstrip(' ')}\n" for line in lines if not line.lstrip(" ").startswith(("//", "/*")))


def join(folder):
    """Writes index.html, scripts, style and icon; returns the folder."""
    os.makedirs(f"{folder}/gallery", exist_ok=True)
    alone = ["slideshow", "served"]
    parts = [part for part in re.findall(r"PackageResources\.(\w+)_js", text("Look.swift")) if part not in alone]
    page = re.sub(r"\{(\w+)\}", lambda mark: MARKS[mark[1]], text("Page/index.html"))
    for name, contents in [("gallery/gallery.js", script(parts)), *[(f"gallery/{part}.js", script([part])) for part in alone],
                           ("gallery/gallery.css", text("Page/gallery.css")), ("gallery/icon.svg", text("Page/icon.svg")),
                           ("index.html", page)]:
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(contents)
    return folder
