/**
 * How a value is written inside a URL: `component` is for a segment of the path, the query and the fragment, `path` for
 * what comes directly behind the host, `address` for what follows `mailto:` or `tel:`.
 */
export type UrlPlace = 'component' | 'path' | 'address';

/** From `start` up to but not including `end`, as offsets into the text. */
interface Range {
  start: number;
  end: number;
}

/** A tag in a URL. */
export interface PlacedTag {
  place: UrlPlace;
  /** The index of the tag that begins the URL, which is one only if the value is; null: its beginning is written. */
  base: number | null;
}

const UNRESERVED = /^[\w.~-]*$/;
const SURROGATE = /[\ud800-\udfff]/;
/** Those that stand alone: no URL can hold one. */
const LONE = /[\ud800-\udfff]/gu;
/** What `encodeURIComponent` leaves, and means something in CSS, in a text or in HTML. */
const LEFT = /[!'()*]/g;

/** The value in its place, percent-encoded (RFC 3986 section 2): only unreserved characters stay as they are. */
export function encodeForUrl(value: string, place: UrlPlace): string {
  if (UNRESERVED.test(value)) return value;
  if (place === 'component') return encode(value);
  if (place === 'path') return encode(value).replaceAll('%2F', '/');
  const at = value.lastIndexOf('@');
  const parts = at < 0 ? [value] : [value.slice(0, at), value.slice(at + 1)];
  return parts.map((part) => encode(part).replaceAll('%2B', '+')).join('@');
}

function encode(value: string): string {
  const encoded = encodeURIComponent(SURROGATE.test(value) ? value.replace(LONE, '\ufffd') : value);
  return encoded.replace(LEFT, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Where a URL is read up to: `start` is before anything of it, `base` behind a tag that begins it, `authority` behind
 * `//`, `host` in what follows, `opaque` behind `mailto:` and the like, `inside` from the path on.
 */
type State = 'start' | 'base' | 'authority' | 'host' | 'opaque' | 'inside';

const BEGINNING = /^(?:[a-z][a-z0-9+.-]*:)?\/\/|^[a-z][a-z0-9+.-]*:/i;

/** Reads on over what is written. */
function readOn(state: State, text: string): State {
  if (text === '' || state === 'inside') return state;
  if (state === 'start') return begin(text.trimStart());
  if (state === 'base') return text.startsWith('://') ? readOn('authority', text.slice(3)) : 'inside';
  if (state === 'opaque') return /[?#]/.test(text) ? 'inside' : 'opaque';
  return /[/?#\\]/.test(text) ? 'inside' : 'host';
}

function begin(text: string): State {
  if (text === '') return 'start';
  const [beginning] = BEGINNING.exec(text) ?? [];
  if (beginning === undefined) return 'inside';
  return readOn(beginning.endsWith('//') ? 'authority' : 'opaque', text.slice(beginning.length));
}

/** What may follow a whole host. */
const BEHIND_HOST = /^[.,;:!?')\]]*[\s"<>/?#\\]/;
const NOTHING_BEHIND = /^[.,;:!?')\]]*$/;

/** What is written between a tag and the next one, or the end. */
interface Behind {
  text: string;
  isLast: boolean;
}

const endsHost = ({ text, isLast }: Behind): boolean =>
  BEHIND_HOST.test(text) || (isLast ? NOTHING_BEHIND.test(text) : text === '');

/** Reads on over a tag. A tag that begins the URL, or is all of its host, stays as it is: null. */
function readTag(state: State, behind: Behind): [UrlPlace | null, State] {
  if (state === 'start') return [null, 'base'];
  if (state === 'base') return ['path', 'inside'];
  if (state === 'opaque') return ['address', 'opaque'];
  if (state === 'inside') return ['component', 'inside'];
  if (!endsHost(behind)) return ['component', 'host'];
  return state === 'authority' ? [null, 'base'] : ['path', 'inside'];
}

const behindTag = (text: string, tags: readonly Range[], n: number): Behind => ({
  text: text.slice(tags[n]!.end, tags[n + 1]?.start),
  isLast: n === tags.length - 1,
});

/** The place of each tag of a text that is a URL as a whole, as in an attribute. */
export function placesInUrl(url: string, tags: readonly Range[]): (UrlPlace | null)[] {
  let state: State = readOn('start', url.slice(0, tags[0]?.start));
  return tags.map((_tag, n) => {
    const behind = behindTag(url, tags, n);
    const [place, next] = readTag(state, behind);
    state = readOn(next, behind.text);
    return place;
  });
}

/** What ends a URL in a text. */
const BREAKS = ' \n\r\t\f"<>`\u00a0\u2003\u2009\u2028\u2029\u3000';
const BREAK_ENTITY = /&(?:nbsp|quot|lt|gt|#160|#34|#x22|#xa0);/gi;
/** Bounded, so that a long run of letters is read once. */
const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]{0,30}:\/\/|\bmailto:/i;
/** A URL that stands in one of these goes no further than to the other. */
export const CLOSERS: Readonly<Record<string, string>> = {
  "'": "'",
  '(': ')',
  '[': ']',
  '|': '|',
  '“': '”',
  '‘': '’',
  '«': '»',
};

/** Reads a text, in which URLs may stand anywhere. */
class TextReader {
  private state: State | null = null;
  private base: number | null = null;
  private closer: string | undefined;
  /** The last character that was written outside of a URL. */
  private before = '';

  read(text: string): void {
    const from = behindLastBreak(text);
    if (from > 0) this.leave('');
    this.readToken(text.slice(from));
  }

  readTag(n: number, behind: Behind): PlacedTag | null {
    if (this.state === null) {
      this.enter('base', n, this.before);
      return null;
    }
    const [place, next] = readTag(this.state, behind);
    this.state = next;
    return place && { place, base: this.base };
  }

  /** Reads on to the end of a text without a break. */
  private readToken(token: string): void {
    if (token === '') return;
    // a tag alone begins a URL only where one goes on behind it
    if (this.state === 'base' && this.base !== null && !/^[/?#&]/.test(token)) this.leave('');
    let rest: string | null = this.state === null ? this.enterIn(token) : token;
    while (rest !== null) {
      const end = this.closer === undefined ? -1 : closedAt(rest, this.closer);
      if (end < 0) {
        this.state = readOn(this.state!, rest);
        return;
      }
      this.leave(this.closer!);
      rest = this.enterIn(rest.slice(end + 1));
    }
  }

  /** Enters the first URL of a text; returns what follows its beginning. Null when there is none. */
  private enterIn(text: string): string | null {
    const found = URL_IN_TEXT.exec(text);
    if (found === null) {
      this.before = text.at(-1) ?? this.before;
      return null;
    }
    const { 0: beginning, index } = found;
    this.enter(beginning.endsWith('//') ? 'authority' : 'opaque', null, text[index - 1] ?? this.before);
    return text.slice(index + beginning.length);
  }

  private enter(state: State, base: number | null, opener: string): void {
    this.state = state;
    this.base = base;
    this.closer = CLOSERS[opener];
  }

  private leave(before: string): void {
    this.state = null;
    this.before = before;
  }
}

function behindLastBreak(text: string): number {
  let from = text.length;
  while (from > 0 && !BREAKS.includes(text[from - 1]!)) from -= 1;
  const token = text.slice(from);
  const entity = token.includes('&') ? [...token.matchAll(BREAK_ENTITY)].at(-1) : undefined;
  return entity ? from + entity.index + entity[0].length : from;
}

/** Where the closer stands that closes nothing in the text itself; -1: nowhere. */
function closedAt(text: string, closer: string): number {
  if (closer !== ')') return text.indexOf(closer);
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') open += 1;
    else if (text[at] === ')' && (open -= 1) < 0) return at;
  }
  return -1;
}

/** The place of each tag of a text in the URL that it stands in, if any. Linear in the length. */
export function placesInText(text: string, tags: readonly Range[]): (PlacedTag | null)[] {
  const reader = new TextReader();
  reader.read(text.slice(0, tags[0]?.start));
  return tags.map((_tag, n) => {
    const behind = behindTag(text, tags, n);
    const placed = reader.readTag(n, behind);
    reader.read(behind.text);
    return placed;
  });
}
