# What may mean harm in a document, a request, a file: values, and ways to change what is well.
SECRET = "x7Qz-secret"
# Of a member of a JSON document.
VALUES = [None, False, True, 0, 1, -1, 10, 2 ** 63, 1e308, "", " ", "\u0000", "\ud800", "\u202e", "\n", "x" * 5000, "x" * 200_000, [], {},
          [[]], [None], ["x"], {"rendered": "x"}, {"rendered": {}}, "<b>" * 5000, "&#" * 3000, "&lt;script&gt;", "../..", "a/b\\c:d*?\"<>|",
          "\x1b[31m\x07\r\n", "é" * 300, "." * 50, "CON", "-", "NaN", "<center>" * 2000, "]]>", "<!--", "🌌" * 100]
# Of a path, a field, a name.
BYTES = [b"%00", b"%", b"%zz", b"%2e%2e", b"..", b"%2f", b"%ff%fe", b"\0", b"\xc3\x28", b"%0d%0aX: y", b"'\"<b>", b"%F0%9F%8C%8C",
         b"%25%32%66", b"\\", b"?", b"#", b";", b"&", b"=", b"\t", b" ", b"\r", b"\n", b"\x7f", b"-1", b"9" * 40, b"-rf *", b"$(id)`",
         b"\x1b[31mred", "☃‮".encode(), *(b"a" * size for size in (200, 4000, 9000, 20000))]


def some(dice, *ways):
    # One of some ways to do something.
    return dice.choice(ways)()


def altered(dice, document, values, times):
    # A document some of whose members are gone, or others, or new.
    for _ in range(times):
        name, value = dice.choice(list(document) or ["x"]), dice.choice(values)
        some(dice, lambda: document.pop(name, None), lambda: document.update({name: value}),
             lambda: document.update({name + dice.choice(["x", "\u0000", "x" * 3000]): value}))
    return document


def mutated(dice, body, times, junk=BYTES, most=9, head=None):
    # Some bytes are others, are gone, come twice, or stand between. `head`: within so many, half of the time.
    body = bytearray(body)
    for _ in range(times):
        body = body or bytearray(b"x")
        place = dice.randrange(min(len(body), head) if head and dice.random() < 0.5 else len(body))
        start, count, what = dice.randrange(len(body)), dice.randrange(1, most + 1), dice.choice(junk)
        body[place:place + dice.choice([0, 0, 1, count, len(what)])] = some(
            dice, lambda: bytes([dice.randrange(256)]), lambda: bytes([body[place] ^ 1 << dice.randrange(8)]), bytes, lambda: what,
            lambda: body[start:start + 7 * count])
    return bytes(body)

