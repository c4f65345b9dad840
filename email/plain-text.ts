import { decodeHTML } from 'entities';
import { compile, type HtmlToTextOptions } from 'html-to-text';
import { Tokenizer } from 'htmlparser2';
import type { HtmlShape } from './html-scan';
import { textCell, textRow } from './text-row';

/** Deeper documents make the DOM parser quadratic and overflow the stack of the walk over the DOM. */
const DEEPEST = 500;
/** Characters times the depth of nested lists or quotes, which indent every line once per level. */
const MAX_INDENTED = 4_000_000;

const ONE_BREAK = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 200 },
  formatters: {
    alternative: (element, _walk, builder) => {
      const attributes = element.attribs as Record<string, string> | undefined;
      builder.addInline(attributes?.alt?.trim() ?? '');
    },
    row: textRow,
    cell: textCell,
  },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'alternative' },
    ...['title', 'template'].map((selector) => ({ selector, format: 'skip' })),
    { selector: 'tr', format: 'row' },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    ...['caption', 'center'].map((selector) => ({ selector, format: 'block', options: ONE_BREAK })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

let converter: ((html: string) => string) | undefined;
let hasWarned = false;

/**
 * The plain text of an html document: links as `label [url]`, images as their alternative text, one line per table row,
 * without scripts and styles. Extremely nested documents are converted in a simpler way. Linear in the length; never
 * throws.
 */
export function htmlToText(html: string, shape: HtmlShape): string {
  if (shape.depth > DEEPEST || shape.indent * html.length > MAX_INDENTED) return plainly(html);
  try {
    return tidy((converter ??= compile(OPTIONS))(html));
  } catch (error) {
    // Whatever made the converter fail, the mail must still go out. The process says so once.
    if (!hasWarned) process.emitWarning(`The plain text of an email was generated in a simpler way: ${String(error)}`);
    hasWarned = true;
    return plainly(html);
  }
}

/** Removes white space at the ends of lines and of the text, and reduces several empty lines to one. */
function tidy(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const kept = line.trimEnd();
    if (kept || lines.at(-1)) lines.push(kept);
  }
  return lines.join('\n').trimEnd();
}

const INLINE = new Set(
  'a abbr b bdi bdo big cite code em font i ins kbd mark q s small span strike strong sub sup u var'.split(' '),
);
const CELLS = new Set(['td', 'th']);
const UNSEEN = new Set(['script', 'style', 'title', 'template']);

/** Texts in order, a space at every cell and a line break at every other tag that is not inline. */
function plainly(html: string): string {
  let text = '';
  let unseen = '';
  const tag = (start: number, end: number): string => {
    const name = html.slice(start, end).toLowerCase();
    if (!INLINE.has(name)) text += CELLS.has(name) ? ' ' : '\n';
    return name;
  };
  const nothing = (): void => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        const name = tag(start, end);
        if (UNSEEN.has(name)) unseen = name;
      },
      onclosetag: (start, end) => {
        if (tag(start, end) === unseen) unseen = '';
      },
      ontext: (start, end) => {
        if (!unseen) text += decodeHTML(html.slice(start, end)).replace(/\s+/g, ' ');
      },
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text.replace(/[ \n]+/g, (run) => (run.includes('\n') ? '\n' : ' ')).trim();
}
