"""Writes pictures that compress as photographs of the sky do: skies.py FOLDER COUNT WIDTH HEIGHT"""

import random
import sys

from PIL import Image, ImageChops, ImageDraw, ImageFilter


def clouds(size, cells):
    """Noise of many sizes, one over the other."""
    whole = Image.new("L", size, 0)
    share = 0.5
    while cells < max(size):
        noise = Image.effect_noise((cells, max(1, cells * size[1] // size[0])), 110).resize(size, Image.BICUBIC)
        whole = ImageChops.add(whole, noise.point([int(value * share) for value in range(256)]))
        cells, share = cells * 2, share * 0.55
    return whole


def stars(size):
    image = Image.new("RGB", size)
    draw = ImageDraw.Draw(image)
    for _ in range(size[0] * size[1] // 1500):
        x, y = random.random() * size[0], random.random() * size[1]
        radius = 0.6 + random.paretovariate(2.2) * size[0] / 5000
        tone = random.randint(90, 235)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(tone, tone, tone + 20))
    return image.filter(ImageFilter.GaussianBlur(size[0] / 4000))


def sky(size):
    bands = []
    for _ in range(3):
        low, gain = random.randint(90, 150), random.uniform(0.6, 1.8)
        bright = [max(0, min(255, int((value - low) * gain))) for value in range(256)]
        bands.append(clouds(size, random.choice([3, 4, 6])).point(bright))
    picture = ImageChops.screen(Image.merge("RGB", bands), stars(size))
    return ImageChops.add(picture, Image.merge("RGB", [Image.effect_noise(size, 14)] * 3), offset=-128)


folder, count, width, height = sys.argv[1], *map(int, sys.argv[2:])
random.seed(1)
for number in range(count):
    sky((width, height)).save(f"{folder}/{number}.jpg", quality=88)
