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
    'Add the HTML: without it, the campaign cannot be sent.',
    'Tambahkan HTML: tanpa itu, kampanye tidak bisa dikirim.',
  ],
  no_subject: ['The subject is empty.', 'Subjeknya kosong.'],
  long_subject: [
    'The subject has {n} characters. Most inboxes show at most {most}.',
    'Subjek memiliki {n} karakter. Kebanyakan kotak masuk menampilkan maksimal {most}.',
  ],
  no_preheader: [
    'There is no preview text. Inboxes show the first words of the email instead.',
    'Belum ada teks pratinjau. Kotak masuk akan menampilkan kata-kata pertama email.',
  ],
  long_preheader: [
    'The preview text has {n} characters. Most inboxes show at most {most}.',
    'Teks pratinjau memiliki {n} karakter. Kebanyakan kotak masuk menampilkan maksimal {most}.',
  ],
  long_html: [
    'The HTML has {size} kB. Gmail cuts off emails above {most} kB.',
    'Ukuran HTML {size} kB. Gmail memotong email di atas {most} kB.',
  ],
  script: [
    'The HTML contains a script. Email apps do not run scripts.',
    'HTML berisi skrip. Aplikasi email tidak menjalankan skrip.',
  ],
  no_unsubscribe: [
    'There is no unsubscribe link. A footer with one will be added.',
    'Tidak ada tautan berhenti berlangganan. Footer dengan tautan itu akan ditambahkan.',
  ],
  empty_links: [
    'Links without a destination: {n}. Add a URL to each.',
    'Tautan tanpa tujuan: {n}. Tambahkan URL pada masing-masing.',
  ],
  script_links: [
    'Links that run a script: {which}. Email apps do not open them.',
    'Tautan yang menjalankan skrip: {which}. Aplikasi email tidak membukanya.',
  ],
  relative_links: [
    'Relative links: {which}. They do not work in an email; use the full URL.',
    'Tautan relatif: {which}. Tautan seperti ini tidak berfungsi di email; pakai URL lengkap.',
  ],
  insecure_links: [
    'Links without encryption (http): {which}. Use https if the site supports it.',
    'Tautan tanpa enkripsi (http): {which}. Pakai https jika situsnya mendukung.',
  ],
  unquoted_links: [
    'Links without double quotes around the URL: {which}. Their clicks are not tracked.',
    'Tautan tanpa tanda kutip ganda pada URL-nya: {which}. Kliknya tidak dilacak.',
  ],
  relative_images: [
    'Images without a public URL: {which}. They are not displayed.',
    'Gambar tanpa URL publik: {which}. Gambar itu tidak tampil.',
  ],
  silent_images: [
    'Images without alt text: {which}. Many recipients do not see images at first.',
    'Gambar tanpa teks alternatif: {which}. Banyak penerima awalnya tidak melihat gambar.',
  ],
  unknown_tags: [
    'Unknown merge tags: {which}. They are sent as written.',
    'Merge tag yang tidak dikenal: {which}. Akan dikirim apa adanya.',
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
