const LENGTH = 1_000_000;
const filled = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));

/** A million characters each, of what makes a careless pattern take for ever. None holds `sari.dewi@contoh.test`. */
export const HOSTILE_TEXTS: readonly (readonly [string, string])[] = [
  ['one letter', filled('a')],
  ['signs', filled('@')],
  ['letters and signs', filled('a@')],
  ['beginnings of addresses', filled('sari.dewi@')],
  ['addresses that end otherwise', filled('sari.dewi@contoh.tes ')],
  ['a name and then spaces', `Sari${filled(' ')}`],
  ['half a name, again and again', filled('Sari ')],
  ['open quotes', filled('"a')],
  ['backslashes in quotes', `"${filled('\\')}"@a.id`],
  ['escaped letters in quotes', filled('"\\\\x\\x"@')],
  ['open brackets', filled('a@[')],
  ['dots', `a@${filled('a.')}`],
  ['percent signs encoded many times over', `%${filled('25')}`],
  ['a letter encoded many times over', filled('%2525252573')],
  ['a sign encoded with zeros', filled('sari.dewi&#0000000000')],
  ['a sign as quoted-printable', filled('=40a.')],
  ['emoji', filled('🌸')],
  ['half emoji', filled('\ud83c')],
  ['NUL', filled('\0')],
];
