import { encodeForUrl, placesInText, type UrlPlace } from './url-places';

/** The meaning of a merge tag; several names may mean the same (docs/contract.md#merge-tags). */
type MergeField =
  | 'email'
  | 'name'
  | 'firstName'
  | 'business'
  | 'address'
  | 'unsubscribe'
  | 'year'
  | 'subject'
  | 'browser'
  | 'preheader';

/** A merge tag of the message's own: its name in lower case behind a mark that no field begins with. */
type VariableField = `$${string}`;

/**
 * One value per field and variable, raw and without control characters; empty when there is no data.
 */
export type MergeValues = Readonly<Record<MergeField, string>> & Readonly<Record<VariableField, string>>;

/** A known tag in a template: its meaning, and what to show when the data is empty. */
export interface TagUse {
  field: MergeField | VariableField;
  fallback: string;
  /** How its value is written inside a URL; left out: it is in none, or it begins the URL. */
  place?: UrlPlace;
  /** The tag that begins the URL, which is none unless its value is one; left out: it is known to be one. */
  base?: TagUse;
}

/** A known tag and its position, as offsets into the template. */
export interface FoundTag extends TagUse {
  start: number;
  end: number;
}

const FIELDS: Readonly<Record<string, MergeField>> = {
  email: 'email',
  nama: 'name',
  name: 'name',
  nama_depan: 'firstName',
  first_name: 'firstName',
  bisnis: 'business',
  nama_bisnis: 'business',
  perusahaan: 'business',
  company: 'business',
  alamat_bisnis: 'address',
  alamat_perusahaan: 'address',
  unsubscribe_url: 'unsubscribe',
  link_berhenti_langganan: 'unsubscribe',
  link_unsubscribe: 'unsubscribe',
  tahun: 'year',
  judul_email: 'subject',
  subjek: 'subject',
  link_browser: 'browser',
  versi_web: 'browser',
  preheader: 'preheader',
};

const TAG = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\|([^{}]*))?\}\}/g;

/** The field of a variable; `name` in lower case. */
export const variableField = (name: string): VariableField => `$${name}`;

/** True when this name, in lower case, is a merge tag of every mail. */
export const isMergeTag = (name: string): boolean => Object.hasOwn(FIELDS, name);

/**
 * The known tags of a template in order: those of every mail, and `variables` by their names. Unknown ones are not tags
 * and stay as written. A tag in a URL, wherever in a text it stands, has its place there. Linear in the length.
 */
export function findMergeTags(template: string, variables: readonly string[] = []): FoundTag[] {
  if (!template.includes('{{')) return [];
  const found: FoundTag[] = [];
  for (const match of template.matchAll(TAG)) {
    const name = match[1]!.toLowerCase();
    const field = isMergeTag(name) ? FIELDS[name]! : variables.includes(name) ? variableField(name) : null;
    if (field === null) continue;
    const fallback = cleanValue(match[2] ?? '');
    found.push({ start: match.index, end: match.index + match[0].length, field, fallback });
  }
  return placed(template, found);
}

const placed = (template: string, found: readonly FoundTag[]): FoundTag[] =>
  placesInText(template, found).map((of, n) => {
    const tag = found[n]!;
    if (of === null) return tag;
    const { start, end, field, fallback } = tag;
    const placedTag = { start, end, field, fallback, place: of.place };
    return of.base === null ? placedTag : { ...placedTag, base: found[of.base]! };
  });

/** Two uses with the same key show the same for every recipient. No part of it has a line break. */
export const tagKey = ({ field, fallback, place, base }: TagUse): string =>
  `${field}\n${fallback}\n${place ?? ''}${base ? `\n${base.field}\n${base.fallback}` : ''}`;

/** The names, in lower case and each once, that look like tags in a template and are none. */
export function unknownTags(template: string, variables: readonly string[]): string[] {
  const names = [...template.matchAll(TAG)].map((match) => match[1]!.toLowerCase());
  return [...new Set(names)].filter((name) => !isMergeTag(name) && !variables.includes(name));
}

/** A piece that is one tag. Not global: it is asked for every accepted message. */
const WHOLE_TAG = new RegExp(`^${TAG.source}$`);
/** What looks like a tag, also of other programs. */
const TAG_LIKE = /\{\{[^{}]{0,200}\}\}/g;
/** Pieces of a template that are looked at for a warning. */
const MAX_LOOKED_AT = 200;

/**
 * The pieces of a template that look like tags and are none, as written; of very many pieces only the first are looked
 * at.
 */
export function unfilledPieces(template: string, variables: readonly string[] = []): string[] {
  if (!template.includes('{{')) return [];
  const pieces: string[] = [];
  let looked = 0;
  for (const [piece] of template.matchAll(TAG_LIKE)) {
    const name = WHOLE_TAG.exec(piece)?.[1]?.toLowerCase();
    if (name === undefined || !(isMergeTag(name) || variables.includes(name))) pieces.push(piece);
    if ((looked += 1) === MAX_LOOKED_AT) break;
  }
  return pieces;
}

/** The template with each tag replaced by letters, so that quotes and brackets inside a tag do not break the markup. */
export function maskTags(template: string, tags: readonly FoundTag[]): string {
  if (tags.length === 0) return template;
  let masked = '';
  let at = 0;
  for (const { start, end } of tags) {
    masked += template.slice(at, start) + 'x'.repeat(end - start);
    at = end;
  }
  return masked + template.slice(at);
}

/** The template split at its tags: literals and tags in turn. */
export function splitAtTags(template: string, tags: readonly FoundTag[]): (string | TagUse)[] {
  const pieces: (string | TagUse)[] = [];
  let at = 0;
  for (const tag of tags) {
    if (tag.start > at) pieces.push(template.slice(at, tag.start));
    pieces.push(tag);
    at = tag.end;
  }
  if (at < template.length) pieces.push(template.slice(at));
  return pieces;
}

const IS_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|mailto:)/i;

/**
 * The value shown for a tag: the data, or the fallback when that is empty. Inside a URL it is encoded for its place
 * (docs/contract.md#merge-tags-in-urls).
 */
export function tagValue(use: TagUse, values: MergeValues): string {
  const { place, base } = use;
  const value = values[use.field] || use.fallback;
  if (place === undefined || (base && !IS_URL.test(tagValue(base, values)))) return value;
  return encodeForUrl(value, place);
}

/** A template with its tags replaced, once and raw: a value that looks like a tag stays text. */
export function mergeRaw(template: string, values: MergeValues, variables: readonly string[] = []): string {
  const tags = findMergeTags(template, variables);
  if (tags.length === 0) return template;
  return splitAtTags(template, tags)
    .map((piece) => (typeof piece === 'string' ? piece : tagValue(piece, values)))
    .join('');
}

/** A value on one line: every run of control characters becomes a space, the ends are trimmed. */
export function cleanValue(value: string): string {
  return value.replace(/\p{Cc}+/gu, ' ').trim();
}
