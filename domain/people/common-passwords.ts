/** Words that common passwords are made of, in the languages that our users speak. */
const WORDS = new Set(
  `password passw0rd pass kata sandi katasandi admin administrator welcome selamat datang letmein qwerty qwertyuiop asdfgh asdfghjkl
  zxcvbn zxcvbnm abc abcd abcdef abcdefgh abcdefghijkl iloveyou love sayang cinta aku kamu bismillah indonesia jakarta bandung surabaya
  merdeka garuda rahasia secret changeme change me login master monkey dragon sunshine princess football baseball superman batman trustno
  hello halo test testing user root kurir email mail example default temp temporary company office spring summer autumn winter`.split(
    /\s+/,
  ),
);

/** Letters that are written as signs and digits. */
const LEET: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '1234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertzuiop'];

/**
 * True for a password of at least 12 characters that is tried first: it repeats a few characters, follows a row of the
 * keyboard, or consists of common words, digits and the name in the address.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const text = password.toLowerCase();
  if (new Set(text).size < 5 || isRepeated(text) || isRow(text)) return true;
  const own = email
    .toLowerCase()
    .split(/[@.+_-]/)
    .filter((part) => part.length > 2);
  const words = new Set([...WORDS, ...own]);
  return [text, text.replace(/./g, (sign) => LEET[sign] ?? sign)].some((one) => hasOnly(one, words));
}

/** True for `abcabcabcabc`. */
const isRepeated = (text: string): boolean =>
  /^(.{1,6})\1+.{0,5}$/.test(text) && /^(.{1,6})\1+/.exec(text)![0].length > 8;

const isRow = (text: string): boolean =>
  ROWS.some((row) => {
    const there = row.repeat(3);
    const back = [...there].reverse().join('');
    return there.includes(text) || back.includes(text);
  });

/** True if nothing is left once the words, and the digits and signs between them, are taken away. */
function hasOnly(text: string, words: ReadonlySet<string>): boolean {
  const letters = text.split(/[^\p{L}]+/u).filter(Boolean);
  return letters.length === 0 || letters.every((part) => isMadeOf(part, words));
}

function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  const reached = [true];
  for (let end = 1; end <= text.length; end += 1) {
    reached[end] = reached.some((ok, start) => ok && start < end && words.has(text.slice(start, end)));
  }
  return reached[text.length] === true;
}
