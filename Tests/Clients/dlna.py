#!/usr/bin/python3
# Lists what a DLNA server offers in "Browse Folders", as a television does: dlna.py PORT
#
# A line for each thing: the folders on the way, its title, and its kind; `with art` where it has a picture to show.
import sys
import urllib.request
import xml.etree.ElementTree as XML

SERVICE = "urn:schemas-upnp-org:service:ContentDirectory:1"
BROWSE = f"""<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:Browse xmlns:u="{SERVICE}">
<ObjectID>%s</ObjectID><BrowseFlag>BrowseDirectChildren</BrowseFlag><Filter>*</Filter><StartingIndex>0</StartingIndex>
<RequestedCount>0</RequestedCount><SortCriteria/></u:Browse></s:Body></s:Envelope>"""


def show(container, way=""):
    request = urllib.request.Request(
        f"http://127.0.0.1:{sys.argv[1]}/ctl/ContentDir", (BROWSE % container).encode(),
        {"Content-Type": 'text/xml; charset="utf-8"', "SOAPAction": f'"{SERVICE}#Browse"'})
    with urllib.request.urlopen(request, timeout=10) as answer:
        children = XML.fromstring(XML.parse(answer).findtext(".//Result"))
    for child in children:
        title = way + child.findtext("{*}title")
        if child.tag.endswith("container"):
            show(child.get("id"), title + "/")
        else:
            art = any("/AlbumArt/" in link.text for link in child.iterfind("{*}res"))
            print(title, child.findtext("{*}class").rpartition(".")[2], *["with art"] * art)


show("64")
