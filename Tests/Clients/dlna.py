#!/usr/bin/python3
# Lists what a DLNA server offers, as a television does: dlna.py PORT
#
# A line for each thing in "Browse Folders": the folders on the way, its title, and its kind; `with art` where it has a
# picture of its own to show.
import sys
import urllib.request
import xml.etree.ElementTree as XML

NAMES = {
    "d": "urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/", "dc": "http://purl.org/dc/elements/1.1/",
    "upnp": "urn:schemas-upnp-org:metadata-1-0/upnp/",
}
SERVICE = "urn:schemas-upnp-org:service:ContentDirectory:1"
BROWSE = f"""<?xml version="1.0"?>
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"
            s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body><u:Browse xmlns:u="{SERVICE}">
<ObjectID>%s</ObjectID><BrowseFlag>BrowseDirectChildren</BrowseFlag><Filter>*</Filter><StartingIndex>0</StartingIndex>
<RequestedCount>0</RequestedCount><SortCriteria></SortCriteria></u:Browse></s:Body></s:Envelope>"""
FOLDERS = "64"


def children(container):
    request = urllib.request.Request(
        f"http://127.0.0.1:{sys.argv[1]}/ctl/ContentDir", (BROWSE % container).encode(),
        {"Content-Type": 'text/xml; charset="utf-8"', "SOAPAction": f'"{SERVICE}#Browse"'})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return XML.fromstring(XML.parse(answer).findtext(".//Result"))


def show(container, way):
    for child in children(container):
        title = way + child.findtext("dc:title", namespaces=NAMES)
        if child.tag.endswith("container"):
            show(child.get("id"), title + "/")
        else:
            kind = child.findtext("upnp:class", namespaces=NAMES).rpartition(".")[2]
            art = any("/AlbumArt/" in link.text for link in child.iterfind("d:res", NAMES))
            print(title, kind, *["with art"] * art)


show(FOLDERS, "")
