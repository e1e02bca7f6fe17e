"""A mirror of three years for the long tests, and a video that a browser can play."""
import base64
import datetime

from invented import Invented

FIRST = datetime.date(2024, 2, 1)

RECORD = """() => new Promise(done => {
    const canvas = document.body.appendChild(Object.assign(document.createElement('canvas'), { width: 64, height: 48 }));
    const paint = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' });
    const timer = setInterval(() => {
        paint.fillStyle = `hsl(${performance.now() / 5}, 50%, 50%)`;
        paint.fillRect(0, 0, 64, 48);
    }, 50);
    recorder.ondataavailable = async ({ data }) => {
        const bytes = new Uint8Array(await data.arrayBuffer());
        done(btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')));
    };
    recorder.start();
    setTimeout(() => { recorder.stop(); clearInterval(timer); }, 2000);
})"""


def video(browser):
    page = browser.new_page()
    try:
        return base64.b64decode(page.evaluate(RECORD))
    finally:
        page.close()


def made(browser, folder, page):
    """`page`: a mirror whose page is taken."""
    return Invented(f"{folder}/mirror", page, video(browser), first=FIRST)
