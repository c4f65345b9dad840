import { decodeHTMLAttribute } from 'entities';
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

/**
 * What an operator should look at before a campaign is sent (docs/campaigns.md#what-is-checked): sentences in English,
 * in the order of the fields; none stops anything. Pure, and linear in the length.
 */
export function checkContent(content: WrittenContent): string[] {
  const { subject, preheader, html } = content;
  return [
    ...checkSubject(subject),
    ...checkPreheader(preheader),
    ...(html === null ? ['There is no HTML yet: without it the campaign cannot be sent.'] : checkHtml(html)),
    ...unknownTags(content),
  ];
}

const length = (text: string): number => [...text].length;

function checkSubject(subject: string): string[] {
  const characters = length(subject);
  if (subject.trim() === '') return ['The subject is empty.'];
  if (characters <= SUBJECT_SHOWN) return [];
  return [`The subject has ${characters} characters: most mail programs show no more than ${SUBJECT_SHOWN}.`];
}

function checkPreheader(preheader: string | null): string[] {
  if (!preheader?.trim()) return ['There is no preheader: mail programs show the first words of the mail instead.'];
  const characters = length(preheader);
  if (characters <= PREHEADER_SHOWN) return [];
  return [`The preheader has ${characters} characters: most mail programs show no more than ${PREHEADER_SHOWN}.`];
}

function checkHtml(html: string): string[] {
  const tags = findMergeTags(html);
  const masked = maskTags(html, tags);
  const { links, images, hasScript } = contentElements(html, masked);
  const size = Buffer.byteLength(html);
  return [
    ...(size > GMAIL_LIMIT
      ? [`The HTML has ${Math.ceil(size / 1024)} kB: Gmail cuts off what is above ${GMAIL_LIMIT / 1024} kB.`]
      : []),
    ...checkLinks(links),
    ...checkImages(images),
    ...(hasScript ? ['The HTML has a script: no mail program runs it.'] : []),
    ...(needsFooter(tags, scanHtml(masked)) ? ['There is no unsubscribe link: a footer with one is added.'] : []),
  ];
}

/** One warning for all links, images or tags with the same fault; none without any. */
function warning(about: string, examples: readonly string[], consequence: string): string[] {
  const different = [...new Set(examples)];
  if (different.length === 0) return [];
  const shown = different.slice(0, EXAMPLES).map(shorten);
  const more = different.length - shown.length;
  return [`${about}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ${consequence}`];
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

function checkLinks(links: readonly ContentLink[]): string[] {
  const faulty = (fault: ReturnType<typeof faultOf>): string[] =>
    links.flatMap(({ href }) => (faultOf(href) === fault ? [href] : []));
  const empty = faulty('empty').length;
  const untracked = links.filter(({ href, doubleQuoted }) => !doubleQuoted && /^\s*https?:/i.test(href));
  return [
    ...(empty > 0 ? [`Links without a target: ${empty}. They lead nowhere.`] : []),
    ...warning('Links with a script', faulty('script'), 'No mail program follows them.'),
    ...warning('Relative links', faulty('relative'), 'They lead nowhere in a mail: write the whole address.'),
    ...warning('Links that are not encrypted (http)', faulty('insecure'), 'Use https where the site has it.'),
    ...warning(
      'Links without double quotes around their address',
      untracked.map(({ href }) => href),
      'Their clicks are not counted.',
    ),
  ];
}

function checkImages(images: readonly ContentImage[]): string[] {
  const relative = images.flatMap(({ src }) =>
    src.trim() === '' || isRelative(src.trim()) ? [src || '(no src)'] : [],
  );
  const silent = images.filter(({ hasAlt }) => !hasAlt).map(({ src }) => src || '(no src)');
  return [
    ...warning('Images without an address on the web', relative, 'They do not show.'),
    ...warning('Images without a description (alt)', silent, 'Many readers see no images at first.'),
  ];
}

function unknownTags({ subject, preheader, html, text }: WrittenContent): string[] {
  return unknownTagsWarning([subject, preheader, html, text]);
}

/** A warning that names what looks like a merge tag in the parts of a mail and is none; none without any. */
export function unknownTagsWarning(parts: readonly (string | null)[]): string[] {
  const unknown = parts.flatMap((part) => (part === null ? [] : unfilledPieces(part)));
  return warning('Unknown merge tags', unknown, 'They are sent as they are written.');
}
