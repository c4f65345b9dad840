import { decodeHTMLAttribute } from 'entities';
import { reasonsOf, type Reason } from '../lib/reason';
import { contentElements, type ContentImage, type ContentLink } from './content-elements';
import { scanHtml } from './html-scan';
import { needsFooter } from './html-template';
import { findMergeTags, maskTags, unfilledPieces } from './merge-tags';

/** What an operator wrote for a campaign. */
export interface WrittenContent {
  subject: string;
  preheader: string | null;
  /** Null: none yet. */
  html: string | null;
  text: string | null;
}

/** Bytes of html above which Gmail cuts a mail off, and with it the footer. */
const GMAIL_LIMIT = 102 * 1024;
/** Characters that mail programs show, at most; phones show fewer. */
const SUBJECT_SHOWN = 60;
const PREHEADER_SHOWN = 130;
/** Examples in one warning. */
const EXAMPLES = 3;
const LONGEST_EXAMPLE = 60;

const warning = reasonsOf({
  no_html: [
    'There is no HTML yet: without it the campaign cannot be sent.',
    'Belum ada HTML: tanpa itu kampanye tidak bisa dikirim.',
  ],
  no_subject: ['The subject is empty.', 'Subjeknya kosong.'],
  long_subject: [
    'The subject has {n} characters: most mail programs show no more than {most}.',
    'Subjeknya {n} karakter: kebanyakan aplikasi email menampilkan paling banyak {most}.',
  ],
  no_preheader: [
    'There is no preheader: mail programs show the first words of the mail instead.',
    'Belum ada preheader: aplikasi email menampilkan kata-kata pertama email sebagai gantinya.',
  ],
  long_preheader: [
    'The preheader has {n} characters: most mail programs show no more than {most}.',
    'Preheader-nya {n} karakter: kebanyakan aplikasi email menampilkan paling banyak {most}.',
  ],
  long_html: [
    'The HTML has {size} kB: Gmail cuts off what is above {most} kB.',
    'HTML-nya {size} kB: Gmail memotong yang melebihi {most} kB.',
  ],
  script: [
    'The HTML has a script: no mail program runs it.',
    'HTML-nya berisi skrip: tidak ada aplikasi email yang menjalankannya.',
  ],
  no_unsubscribe: [
    'There is no unsubscribe link: a footer with one is added.',
    'Tidak ada tautan berhenti berlangganan: footer yang memuatnya ditambahkan.',
  ],
  empty_links: [
    'Links without a target: {n}. They lead nowhere.',
    'Tautan tanpa tujuan: {n}. Tautan itu tidak menuju ke mana pun.',
  ],
  script_links: [
    'Links with a script: {which}. No mail program follows them.',
    'Tautan dengan skrip: {which}. Tidak ada aplikasi email yang mengikutinya.',
  ],
  relative_links: [
    'Relative links: {which}. They lead nowhere in a mail: write the whole address.',
    'Tautan relatif: {which}. Di email tautan itu tidak menuju ke mana pun: tulis alamat lengkapnya.',
  ],
  insecure_links: [
    'Links that are not encrypted (http): {which}. Use https where the site has it.',
    'Tautan tanpa enkripsi (http): {which}. Pakai https bila situsnya mendukung.',
  ],
  unquoted_links: [
    'Links without double quotes around their address: {which}. Their clicks are not counted.',
    'Tautan tanpa tanda petik ganda pada alamatnya: {which}. Kliknya tidak dihitung.',
  ],
  relative_images: [
    'Images without an address on the web: {which}. They do not show.',
    'Gambar tanpa alamat web: {which}. Gambar itu tidak tampil.',
  ],
  silent_images: [
    'Images without a description (alt): {which}. Many readers see no images at first.',
    'Gambar tanpa keterangan (alt): {which}. Banyak pembaca awalnya tidak melihat gambar.',
  ],
  unknown_tags: [
    'Unknown merge tags: {which}. They are sent as they are written.',
    'Merge tag yang tidak dikenal: {which}. Dikirim seperti tertulis.',
  ],
  and_more: ['{shown} and {more} more', '{shown} dan {more} lainnya'],
});

/**
 * What an operator should look at before a campaign is sent (docs/campaigns.md#what-is-checked), in the order of the
 * fields; none stops anything. Pure, and linear in the length.
 */
export function checkContent(content: WrittenContent): Reason[] {
  const { subject, preheader, html } = content;
  return [
    ...checkSubject(subject),
    ...checkPreheader(preheader),
    ...(html === null ? [warning('no_html')] : checkHtml(html)),
    ...unknownTags(content),
  ];
}

const length = (text: string): number => [...text].length;

function checkSubject(subject: string): Reason[] {
  const n = length(subject);
  if (subject.trim() === '') return [warning('no_subject')];
  return n <= SUBJECT_SHOWN ? [] : [warning('long_subject', { n, most: SUBJECT_SHOWN })];
}

function checkPreheader(preheader: string | null): Reason[] {
  if (!preheader?.trim()) return [warning('no_preheader')];
  const n = length(preheader);
  return n <= PREHEADER_SHOWN ? [] : [warning('long_preheader', { n, most: PREHEADER_SHOWN })];
}

function checkHtml(html: string): Reason[] {
  const tags = findMergeTags(html);
  const masked = maskTags(html, tags);
  const { links, images, hasScript } = contentElements(html, masked);
  const size = Buffer.byteLength(html);
  return [
    ...(size > GMAIL_LIMIT ? [warning('long_html', { size: Math.ceil(size / 1024), most: GMAIL_LIMIT / 1024 })] : []),
    ...checkLinks(links),
    ...checkImages(images),
    ...(hasScript ? [warning('script')] : []),
    ...(needsFooter(tags, scanHtml(masked)) ? [warning('no_unsubscribe')] : []),
  ];
}

type Listing = Extract<Parameters<typeof warning>[0], `${string}_links` | `${string}_images` | 'unknown_tags'>;

/** One warning for all links, images or tags with the same fault; none without any. */
function listing(code: Exclude<Listing, 'empty_links'>, examples: readonly string[]): Reason[] {
  const different = [...new Set(examples)];
  if (different.length === 0) return [];
  const shown = different.slice(0, EXAMPLES).map(shorten);
  const more = different.length - shown.length;
  return [warning(code, { which: more > 0 ? warning('and_more', { shown, more }) : shown })];
}

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_EXAMPLE ? `${line.slice(0, LONGEST_EXAMPLE)}…` : line;
};

/** What an `href` is, by how it begins; null for what is in order, or known only per recipient. */
function faultOf(href: string): 'empty' | 'script' | 'insecure' | 'relative' | null {
  const target = decodeHTMLAttribute(href)
    .replace(/[\t\n\r]+/g, '')
    .trim();
  if (target === '' || target === '#') return 'empty';
  if (/^(?:javascript|vbscript|data):/i.test(target)) return 'script';
  if (/^http:/i.test(target)) return 'insecure';
  return isRelative(target) ? 'relative' : null;
}

/** A target without a scheme, unless a merge tag begins it; an anchor leads to a place in the mail. */
const isRelative = (target: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target) && !beginsWithTag(target);

const beginsWithTag = (text: string): boolean => findMergeTags(text)[0]?.start === 0;

function checkLinks(links: readonly ContentLink[]): Reason[] {
  const faulty = (fault: ReturnType<typeof faultOf>): string[] =>
    links.flatMap(({ href }) => (faultOf(href) === fault ? [href] : []));
  const n = faulty('empty').length;
  const untracked = links.filter(({ href, doubleQuoted }) => !doubleQuoted && /^\s*https?:/i.test(href));
  return [
    ...(n > 0 ? [warning('empty_links', { n })] : []),
    ...listing('script_links', faulty('script')),
    ...listing('relative_links', faulty('relative')),
    ...listing('insecure_links', faulty('insecure')),
    ...listing(
      'unquoted_links',
      untracked.map(({ href }) => href),
    ),
  ];
}

function checkImages(images: readonly ContentImage[]): Reason[] {
  const relative = images.flatMap(({ src }) =>
    src.trim() === '' || isRelative(src.trim()) ? [src || '(no src)'] : [],
  );
  const silent = images.filter(({ hasAlt }) => !hasAlt).map(({ src }) => src || '(no src)');
  return [...listing('relative_images', relative), ...listing('silent_images', silent)];
}

const unknownTags = ({ subject, preheader, html, text }: WrittenContent): Reason[] =>
  unknownTagsWarning([subject, preheader, html, text]);

/** A warning that names what looks like a merge tag in the parts of a mail and is none; none without any. */
export function unknownTagsWarning(parts: readonly (string | null)[]): Reason[] {
  return listing(
    'unknown_tags',
    parts.flatMap((part) => (part === null ? [] : unfilledPieces(part))),
  );
}
