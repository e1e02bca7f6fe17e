# Plays a video in Chromium and seeks in it: seeking.py ADDRESS, of a video or of a page that has one.
import sys

from playwright.sync_api import sync_playwright

address = sys.argv[1]
PLAYED = "() => document.querySelector('video').currentTime > {} && !document.querySelector('video').seeking"

with sync_playwright() as playwright:
    page = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"]).new_page()
    answers = []
    page.on("response", lambda answer: answers.append((answer.status, answer.headers.get("content-range"), answer.url)))
    page.goto(address)
    page.wait_for_function("() => document.querySelector('video')")
    if "#" in address:
        page.evaluate("document.querySelector('video').preload = 'auto'")
    page.evaluate("document.querySelector('video').muted = true, document.querySelector('video').play()")
    page.wait_for_function(PLAYED.format(0.2))
    length = page.evaluate("document.querySelector('video').duration")
    for part in (0.9, 0.1, 0.6):
        page.evaluate(f"document.querySelector('video').currentTime = {part * length}")
        page.wait_for_function(PLAYED.format(part * length + 0.02))
    parts = [(status, text) for status, text, url in answers if status == 206 and text]
    if not parts:
        sys.exit(f"no part was asked for: {answers}")
    starts = {int(text.split()[1].split("-")[0]) for _, text in parts}
    if length > 10 and len(starts) < 2:
        sys.exit(f"it was not sought: {parts}")
    print(f"{len(parts)} answers with 206, {len(starts)} beginnings")
