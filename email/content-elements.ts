import { Tokenizer } from 'htmlparser2';

/** A link of an html document. */
export interface ContentLink {
  /** The `href` as written; empty without one that has a value. */
  href: string;
  doubleQuoted: boolean;
}

/** An image of an html document. */
export interface ContentImage {
  /** As written; empty without one. */
  src: string;
  /** An empty `alt` counts: it marks an image that says nothing. */
  hasAlt: boolean;
}

export interface ContentElements {
  links: ContentLink[];
  images: ContentImage[];
  hasScript: boolean;
}

const DOUBLE_QUOTED = 3;
const nothing = (): void => {};

/**
 * The links, images and scripts of an html document, in order. `masked` is the same document, of the same length,
 * without what would break its markup. Linear in its length; never throws.
 */
export function contentElements(html: string, masked: string): ContentElements {
  const found: ContentElements = { links: [], images: [], hasScript: false };
  let tag = '';
  let attribute = '';
  let value: { start: number; end: number } | null = null;
  let attributes = new Map<string, { text: string; quote: number }>();

  const endTag = (): void => {
    const [href, src] = [attributes.get('href'), attributes.get('src')];
    if ((tag === 'a' || tag === 'area') && href) {
      found.links.push({ href: href.text, doubleQuoted: href.quote === DOUBLE_QUOTED });
    }
    if (tag === 'img') found.images.push({ src: src?.text ?? '', hasAlt: attributes.has('alt') });
    if (tag === 'script') found.hasScript = true;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        tag = masked.slice(start, end).toLowerCase();
        attributes = new Map();
      },
      onattribname: (start, end) => {
        attribute = masked.slice(start, end).toLowerCase();
        value = null;
      },
      onattribdata: (start, end) => (value = { start: value?.start ?? start, end }),
      onattribend: (quote) => {
        // the first attribute of a name counts
        if (attributes.has(attribute)) return;
        attributes.set(attribute, { text: value ? html.slice(value.start, value.end) : '', quote });
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onattribentity: nothing,
      oncdata: nothing,
      onclosetag: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(masked);
  tokenizer.end();
  return found;
}
