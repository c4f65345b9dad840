/** What mail from a transactional domain is for, as a warning names it. */
const KINDS = ['a password reset', 'a code or a confirmation', 'a receipt'] as const;
export type TransactionalKind = (typeof KINDS)[number];

/** Characters of the content that are read: what a mail is for stands at its beginning. */
const READ = 2_000;

/** One of the wordings, in lower case, as whole words; a space stands for any white space. */
const wording = (...wordings: string[]): string => `\\b(?:${wordings.join('|').replaceAll(' ', '\\s+')})\\b`;
const pattern = (...sources: string[]): RegExp => new RegExp(sources.join('|'));

const OF = '(?:(?:your|the|my|a|new) ){0,2}';
const SECRET = '(?:password|kata sandi|sandi)';
const RESET = `(?:reset|resetting|atur ulang|setel ulang) ${OF}${SECRET}`;
const CODE =
  '(?:verification|security|log-?in|sign-?in|access|one[- ]time) (?:code|passcode)|one[- ]time password|otp|' +
  'kode (?:verifikasi|keamanan|masuk|login|akses|konfirmasi|sekali pakai)';
const RECEIPT = '(?:receipt|invoice|struk|kuitansi|kwitansi|faktur)';

const IN_SUBJECT: Readonly<Record<TransactionalKind, RegExp>> = {
  'a password reset': pattern(
    wording(
      RESET,
      `(?:forgot|forgotten|lost|change|recover|new|lupa|ubah|ganti|pulihkan) ${OF}${SECRET}`,
      '(?:password|kata sandi) (?:reset|recovery|change|baru)',
    ),
  ),
  'a code or a confirmation': pattern(
    wording(
      CODE,
      'authentication code|confirmation code|kode (?:autentikasi|aktivasi)',
      '(?:verify|confirm) your (?:e-?mail|account)',
      '(?:verifikasi|konfirmasi) (?:alamat )?(?:e-?mail|akun)',
    ),
  ),
  'a receipt': pattern(
    `^\\W*${RECEIPT}(?:\\W*$|\\W*[#{\\d]|\\s+[\\w/-]*\\d)`,
    `^\\W*${wording(`${RECEIPT} (?:for|from|no|nomor|number|untuk|dari|pembayaran|pembelian|belanja|pesanan|order)`)}`,
    wording(
      `(?:your|the) ${RECEIPT}`,
      `(?:${RECEIPT}|tagihan|nota) anda`,
      'bukti pembayaran|order confirmation|konfirmasi pesanan|payment (?:received|confirmation)',
      'pembayaran (?:anda )?(?:diterima|berhasil|dikonfirmasi)',
      '(?:your order|pesanan anda) (?:has|is|was|telah|sudah|sedang|dikirim|diterima|dikonfirmasi|berhasil)',
    ),
    `${wording('your order|pesanan anda')}(?:\\s*#|\\s+\\w*\\d)`,
  ),
};

/**
 * A word alone is too little in a content, since a newsletter may speak of codes and invoices: here the number follows
 * it. The words are looked for first, since nearly all contents have none of them and finding that out is quick.
 */
const IN_CONTENT: Readonly<Record<TransactionalKind, RegExp>> = {
  'a password reset': pattern(wording(RESET)),
  'a code or a confirmation': pattern(`${wording(CODE)}[^]{0,60}?\\b\\d{3}[\\s-]?\\d{1,5}\\b`),
  'a receipt': pattern(`\\b${RECEIPT}\\s*(?:no\\b\\.?|nomor|number|id|#|:)\\s*[#:]?\\s*[\\w/-]{0,20}\\d`),
};
/** One of these is in each of the wordings. */
const WORDS = /passw|sandi|code|kode|otp|receipt|invoice|struk|itansi|faktur/i;

/**
 * What a mail looks like by Indonesian and English wordings in its subject, and in the first 2,000 characters of its
 * html; null: nothing of the kind. A guess, good for a warning only. Takes microseconds, whatever the length.
 */
export function looksTransactional(subject: string, html: string): TransactionalKind | null {
  const title = subject.toLowerCase();
  const said = KINDS.find((kind) => IN_SUBJECT[kind].test(title));
  if (said) return said;
  const beginning = beginningOf(html);
  if (!WORDS.test(beginning)) return null;
  const content = beginning.toLowerCase();
  return KINDS.find((kind) => IN_CONTENT[kind].test(content)) ?? null;
}

function beginningOf(html: string): string {
  const body = Math.max(html.indexOf('<body'), 0);
  return html.slice(body, body + READ);
}
