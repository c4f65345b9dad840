/** Of an IPv4 address. */
export type Bytes = [number, number, number, number];

/** IPv4 addresses that no webhook may reach. */
const PRIVATE_V4: readonly Bytes[] = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [0, 0, 0, 0],
  [10, 0, 0, 1],
  [100, 64, 0, 1],
  [169, 254, 169, 254],
  [172, 16, 0, 1],
  [172, 31, 255, 255],
  [192, 0, 0, 8],
  [192, 168, 1, 1],
  [198, 18, 0, 1],
  [224, 0, 0, 1],
  [255, 255, 255, 255],
];

/** IPv6 addresses that no webhook may reach, without brackets. */
const PRIVATE_V6: readonly string[] = [
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '0::0:1',
  '::0.0.0.1',
  '::',
  '0:0:0:0:0:0:0:0',
  '::ffff:7f00:1',
  '::FFFF:7F00:0001',
  '0:0:0:0:0:ffff:127.0.0.1',
  '::ffff:0:7f00:1',
  'fe80::1',
  'FE80::1',
  'febf:ffff::1',
  'fec0::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'ff02::1',
  'ff05::1:3',
  '100::1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::808:808',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
];

const hex = (n: number): string => n.toString(16);
const octal = (n: number): string => `0${n.toString(8)}`;
const number = ([a, b, c, d]: Bytes): number => ((a * 256 + b) * 256 + c) * 256 + d;
const pair = (high: number, low: number): string => hex(high * 256 + low);
/** Digits of another script, from its zero. */
const inScript = (text: string, zero: number): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** Ways to write an IPv4 address as a host that lead to it. */
export const DISGUISES: Readonly<Record<string, (bytes: Bytes) => string>> = {
  'dotted decimal': (bytes) => bytes.join('.'),
  'with a last dot': (bytes) => `${bytes.join('.')}.`,
  'one number': (bytes) => String(number(bytes)),
  'one number with a last dot': (bytes) => `${number(bytes)}.`,
  'one hex number': (bytes) => `0x${hex(number(bytes))}`,
  'one hex number in capitals': (bytes) => `0X${hex(number(bytes)).toUpperCase()}`,
  'one hex number with zeros': (bytes) => `0x00000000${hex(number(bytes))}`,
  'one octal number': (bytes) => octal(number(bytes)),
  'dotted hex': (bytes) => bytes.map((byte) => `0x${hex(byte)}`).join('.'),
  'dotted hex with zeros': (bytes) => bytes.map((byte) => `0x00${hex(byte)}`).join('.'),
  'dotted octal': (bytes) => bytes.map(octal).join('.'),
  'dotted octal with zeros': (bytes) => bytes.map((byte) => `0000000${octal(byte)}`).join('.'),
  'each part in its own way': ([a, b, c, d]) => `0x${hex(a)}.${octal(b)}.${c}.${octal(d)}`,
  'three parts': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  'two parts': ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  'two parts, hex and octal': ([a, b, c, d]) => `0x${hex(a)}.${octal((b * 256 + c) * 256 + d)}`,
  'full-width digits': (bytes) => inScript(bytes.join('.'), 0xff10),
  'bold digits': (bytes) => inScript(bytes.join('.'), 0x1d7ce),
  'double-struck digits': (bytes) => inScript(bytes.join('.'), 0x1d7d8),
  'monospace digits': (bytes) => inScript(bytes.join('.'), 0x1d7f6),
  'circled digits': (bytes) =>
    bytes.join('.').replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
  'ideographic full stops': (bytes) => bytes.join('。'),
  'full-width full stops': (bytes) => bytes.join('．'),
  'half-width full stops': (bytes) => bytes.join('｡'),
  'escaped digits': (bytes) => bytes.join('.').replace(/\d/g, (digit) => `%3${digit}`),
  'escaped dots': (bytes) => bytes.join('%2e'),
  'escaped full stops': (bytes) => bytes.join('%E3%80%82'),
  'soft hyphens': (bytes) => bytes.join('\u00ad.'),
  'zero-width spaces': (bytes) => bytes.join('\u200b.'),
  'mapped into IPv6': (bytes) => `[::ffff:${bytes.join('.')}]`,
  'mapped into IPv6, in hex': ([a, b, c, d]) => `[0:0:0:0:0:FFFF:${pair(a, b)}:${pair(c, d)}]`,
  NAT64: (bytes) => `[64:ff9b::${bytes.join('.')}]`,
};

/** Ways to carry an IPv4 inside an IPv6 that no receiver of webhooks needs. */
export const TUNNELS: Readonly<Record<string, (bytes: Bytes) => string>> = {
  'IPv4-compatible': (bytes) => `[::${bytes.join('.')}]`,
  'IPv4-translated': (bytes) => `[::ffff:0:${bytes.join('.')}]`,
  'NAT64 of a local prefix': (bytes) => `[64:ff9b:1::${bytes.join('.')}]`,
  '6to4': ([a, b, c, d]) => `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
  Teredo: ([a, b, c, d]) =>
    `[2001:0:${pair(a, b)}:${pair(c, d)}:0:ffff:${pair(255 - a, 255 - b)}:${pair(255 - c, 255 - d)}]`,
  'ISATAP on a link': (bytes) => `[fe80::5efe:${bytes.join('.')}]`,
};

/** Names of this machine or its network, and what looks like one. */
const NAMES: readonly string[] = [
  'localhost',
  'localhost.',
  'LOCALHOST',
  'LocalHost.',
  'api.localhost',
  'a.b.localhost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌｏｃａｌｈｏｓｔ',
  'local\u00adhost',
  'loc%61lhost',
  '%6c%6f%63%61%6c%68%6f%73%74',
  'intranet',
  'intranet.',
  'db',
  'metadata',
  'ip6-localhost',
  'localhost..',
  'localhost%00.contoh.test',
  'localhost%2f.contoh.test',
  'localhost%23.contoh.test',
  '127.0.0.1%00.contoh.test',
  '127.0.0.256',
  '127.0.0.0x100',
  '0x7f000001.0x',
  '4294967297',
  '127.0.0.1.2',
  '',
  '.',
  '..',
  '*',
];

/** Around `host:port`: what a parser may take for another host. */
const TRICKS: readonly ((host: string) => string)[] = [
  (host) => `https://hooks.contoh.test@${host}/`,
  (host) => `https://hooks.contoh.test:443@${host}/`,
  (host) => `https://hooks.contoh.test%40${host}/`,
  (host) => `https://@${host}/`,
  (host) => `https://:@${host}/`,
  (host) => `https://user:pass@${host}/`,
  (host) => `https:\\\\${host}\\`,
  (host) => `https://hooks.contoh.test\\@${host}/`,
  (host) => `https:/${host}/`,
  (host) => `https:${host}/`,
  (host) => `https:///${host}/`,
  (host) => `https://\t${host}/`,
  (host) => `https://${host}\n/`,
  (host) => `ht\ttps://${host}/`,
  (host) => `http://${host}/`,
  (host) => `HTTP://${host}/`,
  (host) => `ws://${host}/`,
  (host) => `wss://${host}/`,
  (host) => `ftp://${host}/`,
  (host) => `gopher://${host}/`,
  (host) => `file://${host}/`,
  (host) => `//${host}/`,
  (host) => `blob:https://${host}/`,
  (host) => `view-source:https://${host}/`,
  (host) => host,
];

const ZONES = ['%eth0', '%25eth0', '%1', '%lo', '%'];

/** URLs that lead, or seem to lead, to what no webhook may reach, at one port. Their hosts are no names in DNS. */
export function privateUrls(port: number): Record<string, string[]> {
  const at = (host: string): string => `https://${host}:${port}/in`;
  return {
    'IPv4 addresses': PRIVATE_V4.map((bytes) => at(bytes.join('.'))),
    'this machine in every notation': [DISGUISES, TUNNELS].flatMap((forms) =>
      Object.values(forms).map((form) => at(form([127, 0, 0, 1]))),
    ),
    'IPv6 addresses': PRIVATE_V6.map((address) => at(`[${address}]`)),
    'IPv6 addresses with a zone': ['fe80::1', '::1'].flatMap((v6) => ZONES.map((zone) => at(`[${v6}${zone}]`))),
    'names of this machine and its network': NAMES.map(at),
    'tricks of notation': ['127.0.0.1', '[::1]', 'localhost'].flatMap((host) =>
      TRICKS.map((trick) => trick(`${host}:${port}`)),
    ),
  };
}

/** What a name may not lead to, alone or beside a public address: the answers of DNS. */
export function privateAnswers(publicAddress: string): string[][] {
  const addresses = [
    ...PRIVATE_V4.map((bytes) => bytes.join('.')),
    ...PRIVATE_V4.map((bytes) => `::ffff:${bytes.join('.')}`),
    ...PRIVATE_V6,
    'fe80::1%eth0',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    'localhost',
    '',
  ];
  return addresses.flatMap((address) => [[address], [publicAddress, address], [address, publicAddress]]);
}
