"""Composes random mails, and reads them with Python's own parser: one JSON object a line."""

import base64
import email
import email.policy
import json
import quopri
import random
import sys
from email.charset import BASE64, QP, Charset
from email.header import Header
from email.mime.image import MIMEImage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import formataddr

LETTERS = {
    "us-ascii": "abc XYZ 0123 =?_.,;:<>\"'()[]{}&-",
    "utf-8": "abc é ü 你好 日本 😀 Ж = ? _ € “”",
    "iso-8859-1": "abc é ü ß ñ ¿ = ? _",
    "iso-8859-2": "abc ą č ř ő = _",
    "iso-8859-15": "abc € œ š é",
    "windows-1252": "abc € “ ” – — … š é",
    "windows-1251": "абв ЖЩ ё № abc",
    "koi8-r": "абв ЖЩ ё abc",
    "gb2312": "你好世界 abc 中文",
    "gb18030": "你好世界 abc 丂 €",
    "big5": "你好世界 abc 繁體",
    "shift_jis": "日本語 テスト abc",
    "euc-jp": "日本語 テスト abc",
    "iso-2022-jp": "日本語 テスト abc",
    "euc-kr": "한국어 가나다 abc",
    "utf-16": "abc 你好 é 😀",
}
NAMES = ["Budi", "Toko Kopi", "Büro, Süd", 'Ani "Kopi"', "日本", "Жанна (x)", "a@b", ""]


def words(rng, charset, count):
    letters = LETTERS[charset]
    return "".join(rng.choice(letters) for _ in range(count)).strip() or "x"


def text_part(rng, subtype):
    charset = rng.choice(list(LETTERS))
    lines = [words(rng, charset, rng.randrange(1, 200)) for _ in range(rng.randrange(1, 8))]
    text = "\n".join(lines)
    kind = Charset(charset)
    kind.body_encoding = rng.choice([BASE64, QP]) if charset not in ("utf-16", "iso-2022-jp") else BASE64
    kind.output_charset = charset
    part = MIMEText("", subtype)
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        del part[name]
    part.add_header("Content-Type", "text/" + subtype, charset=rng.choice([charset, charset.upper()]))
    data = text.replace("\n", "\r\n").encode(charset)
    if kind.body_encoding == BASE64:
        part["Content-Transfer-Encoding"] = "base64"
        part.set_payload(base64.encodebytes(data).decode())
    else:
        part["Content-Transfer-Encoding"] = "quoted-printable"
        part.set_payload(quopri.encodestring(text.encode(charset)).decode("ascii"))
    return part


def multipart(rng, subtype, *parts):
    boundary = rng.choice(["b", "--x", "=_Part", "a b", "it's (a)", "q" * 70]) + str(rng.random())[2:]
    made = MIMEMultipart(subtype, boundary=boundary)
    made.preamble = rng.choice([None, "This is a multi-part message in MIME format."])
    for part in parts:
        made.attach(part)
    return made


def image(name):
    part = MIMEImage(b"\x89PNG\r\n--b\r\n", "png")
    part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", name))
    return part


def compose(rng):
    plain = lambda: text_part(rng, "plain")
    html = lambda: text_part(rng, "html")
    inner = MIMEText("inner")
    inner["From"] = "lain@anderswo.test"
    shapes = [
        plain,
        html,
        lambda: multipart(rng, "alternative", plain(), html()),
        lambda: multipart(rng, "mixed", plain(), image("gambar é.png")),
        lambda: multipart(rng, "mixed", multipart(rng, "alternative", plain(), html()), image("a;b.png"), MIMEMessage(inner)),
        lambda: multipart(rng, "alternative", plain(), multipart(rng, "related", html(), image("x.png"))),
        lambda: multipart(rng, "mixed", multipart(rng, "related", multipart(rng, "alternative", plain(), html()), image("y"))),
    ]
    mail = rng.choice(shapes)()
    charset = rng.choice([name for name in LETTERS if name not in ("utf-16", "us-ascii")])
    subject = words(rng, charset, rng.randrange(1, 120))
    mail["Subject"] = Header(" ".join(subject.split()), charset, header_name="Subject")
    mail["From"] = formataddr((rng.choice(NAMES), "toko@toko.test"))
    if rng.random() < 0.5:
        mail["Reply-To"] = formataddr((rng.choice(NAMES), "balas@toko.test")) + ", lain@toko.test"
    return mail.as_bytes(policy=email.policy.compat32.clone(linesep="\r\n"))


def content(mail, subtype):
    for part in mail.walk():
        if part.get_content_type() == "text/" + subtype and part.get_content_disposition() is None:
            data = part.get_payload(decode=True)
            return data.decode(part.get_content_charset())
    return None


def read(raw):
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    old = email.message_from_bytes(raw)
    sender = mail["From"].addresses[0]
    reply_to = mail["Reply-To"]
    subject = str(email.header.make_header(email.header.decode_header(old["Subject"])))
    return {
        "raw": base64.b64encode(raw).decode(),
        "subject": subject,
        "address": sender.addr_spec,
        "name": sender.display_name,
        "replyTo": reply_to.addresses[0].addr_spec if reply_to else None,
        "text": content(mail, "plain"),
        "html": content(mail, "html"),
    }


seed, count = sys.argv[1:]
rng = random.Random(seed)
for _ in range(int(count)):
    print(json.dumps(read(compose(rng))))
