import { Tokenizer } from 'htmlparser2';
import { leadsSomewhere } from './tracked-url';
import { LONGEST_LABEL, isUnsubscribeLabel } from './unsubscribe-label';

/** From `start` up to but not including `end`, as offsets into the html. */
export interface HtmlRange {
  start: number;
  end: number;
}

/** How deeply an html document is nested; an overestimate where end tags are missing. */
export interface HtmlShape {
  /** Elements. */
  depth: number;
  /** Lists and quotes only, whose lines are indented in plain text. */
  indent: number;
}

/** Where an html document can be changed, and its contents. */
export interface HtmlScan extends HtmlShape {
  /**
   * Double-quoted values of the `href` of elements that a person clicks, without the quotes, in order; including those
   * meant for Outlook.
   */
  hrefs: HtmlRange[];
  /** Values of attributes that are a URL as a whole, those of `hrefs` among them, in order. */
  urls: HtmlRange[];
  /**
   * Offset before the last `</body>`, or the end of the document, or before a tag, comment, script or template that
   * never ends.
   */
  tail: number;
  /** Offset where what is shown begins: behind `<body>`, or before the first element or text outside of the head. */
  contentStart: number;
  /** The `href` values of links that are labelled as unsubscribe links (docs/contract.md#footer), without quotes. */
  unsubscribeLinks: HtmlRange[];
  /** What a reader can see or follow: texts, and the `href` values of links with a target. In order. */
  visible: HtmlRange[];
}

const DOUBLE_QUOTED = 3;
const VOID = new Set('area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '));
const INDENTED = new Set(['ul', 'ol', 'blockquote']);
/** Elements whose content is always text. */
const RAW = new Set('script style title textarea xmp iframe noembed noframes plaintext'.split(' '));
const LINKS = new Set(['a', 'area']);
/** Shapes of Outlook that may be links. */
const VML = 'arc curve group image line oval polyline rect roundrect shape'.split(' ').map((shape) => `v:${shape}`);
/** What a person clicks. A mail program loads the target of any other `href` by itself. */
const CLICKED = new Set([...LINKS, ...VML]);
/** Elements that may come before what is shown. */
const HEAD = new Set('html head body base link meta title style script noscript template'.split(' '));
const URL_ATTRIBUTES = new Set(
  'action background cite codebase data formaction href longdesc lowsrc o:href poster src usemap xlink:href'.split(' '),
);
const CONDITION = /^\[if\b[^\]]*\]>/i;
const CONDITION_END = /<!\[endif\]\s*$/i;

/** Reads an html document once, splitting it into tags as a browser would. Linear in its length; never throws. */
export function scanHtml(html: string): HtmlScan {
  return scan(html, scanConditional);
}

type Links = Pick<HtmlScan, 'hrefs' | 'urls'>;
type ReadComment = (comment: string, offset: number) => Links;

const NO_LINKS: Links = { hrefs: [], urls: [] };

function scan(html: string, readComment: ReadComment): HtmlScan {
  const scanner = new Scanner(html, readComment);
  const tokenizer = new Tokenizer({ decodeEntities: false }, scanner);
  tokenizer.write(html);
  tokenizer.end();
  return scanner.scan;
}

/** The links in a comment that only Outlook reads as html: `<!--[if mso]>...<![endif]-->`. */
const scanConditional: ReadComment = (comment, offset) => {
  const condition = CONDITION.exec(comment)?.[0].length;
  const last = condition && CONDITION_END.exec(comment)?.index;
  if (!condition || !last) return NO_LINKS;
  const base = offset + condition;
  const moved = ({ start, end }: HtmlRange): HtmlRange => ({ start: base + start, end: base + end });
  // comments do not nest, so none is read inside one
  const { hrefs, urls } = scan(comment.slice(condition, last), () => NO_LINKS);
  return { hrefs: hrefs.map(moved), urls: urls.map(moved) };
};

class Scanner {
  readonly scan: HtmlScan;
  private tag = '';
  private attribute = '';
  private value: HtmlRange | null = null;
  /** The first `href` of the tag, which is the one that counts; undefined until one is found. */
  private link: HtmlRange | null | undefined;
  private isTracked = false;
  /** The text so far of the link that is open, and its `href`. */
  private label: string | null = null;
  private labelled: HtmlRange | null = null;
  private raw = '';
  private bodyEnd: number | null = null;
  private begun = false;
  private open = 0;
  private indented = 0;
  private readonly openByName = new Map<string, number>();

  constructor(
    private readonly html: string,
    private readonly readComment: ReadComment,
  ) {
    this.scan = {
      hrefs: [],
      urls: [],
      tail: 0,
      contentStart: 0,
      unsubscribeLinks: [],
      visible: [],
      depth: 0,
      indent: 0,
    };
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.link = undefined;
    this.isTracked = false;
    if (!HEAD.has(this.tag)) this.beginContent(start - 1);
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = null;
  }

  onattribdata(start: number, end: number): void {
    this.value = { start: this.value?.start ?? start, end };
  }

  onattribend(quote: number): void {
    if (this.value && URL_ATTRIBUTES.has(this.attribute)) this.scan.urls.push(this.value);
    if (this.attribute !== 'href' || this.link !== undefined) return;
    this.link = this.value;
    this.isTracked = quote === DOUBLE_QUOTED && CLICKED.has(this.tag);
  }

  onopentagend(end: number): void {
    if (this.isTracked && this.link) this.scan.hrefs.push(this.link);
    this.raw = RAW.has(this.tag) ? this.tag : '';
    if (!this.raw && this.tag !== 'template') this.moveTail(end + 1);
    if (this.tag === 'body') {
      this.close('head');
      this.beginContent(end + 1);
    }
    if (LINKS.has(this.tag)) this.openLink();
    if (VOID.has(this.tag)) return;
    this.openByName.set(this.tag, this.openCount(this.tag) + 1);
    this.scan.depth = Math.max(this.scan.depth, ++this.open);
    if (INDENTED.has(this.tag)) this.scan.indent = Math.max(this.scan.indent, ++this.indented);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    const bracket = this.html.indexOf('>', end);
    this.raw = '';
    if (name === 'a') this.closeLink();
    this.close(name);
    if (bracket >= 0) this.moveTail(bracket + 1);
    if (name === 'body' && this.openCount('template') === 0) this.bodyEnd = start - 2;
  }

  ontext(start: number, end: number): void {
    if (this.raw) return;
    this.moveTail(end);
    if (this.isUnseen()) return;
    if (!this.begun && this.html.slice(start, end).trim()) this.beginContent(start);
    this.scan.visible.push({ start, end });
    if (this.label !== null && this.label.length <= LONGEST_LABEL) this.label += this.html.slice(start, end);
  }

  oncomment(start: number, end: number, endLength: number): void {
    // an element that never ends hides the rest of the document
    if (end >= this.html.length) return;
    this.moveTail(end + 1);
    const { hrefs, urls } = this.readComment(this.html.slice(start, end - endLength), start);
    for (const href of hrefs) this.scan.hrefs.push(href);
    for (const url of urls) this.scan.urls.push(url);
  }

  oncdata(start: number, end: number, endLength: number): void {
    this.oncomment(start, end, endLength);
  }

  ondeclaration(_start: number, end: number): void {
    if (end < this.html.length) this.moveTail(end + 1);
  }

  onend(): void {
    this.scan.tail = this.bodyEnd ?? this.scan.tail;
  }

  onattribentity(): void {}
  ontextentity(): void {}
  onprocessinginstruction(): void {}

  /** Not inside a template, which shows nothing and may never end. */
  private moveTail(to: number): void {
    if (this.openCount('template') === 0) this.scan.tail = to;
  }

  private close(name: string): void {
    const count = this.openCount(name);
    if (count === 0) return;
    this.openByName.set(name, count - 1);
    this.open--;
    if (INDENTED.has(name)) this.indented--;
  }

  private openCount(name: string): number {
    return this.openByName.get(name) ?? 0;
  }

  private isUnseen(): boolean {
    return this.openCount('template') + this.openCount('head') > 0;
  }

  private beginContent(start: number): void {
    if (this.begun || this.isUnseen()) return;
    this.begun = true;
    this.scan.contentStart = start;
  }

  private openLink(): void {
    const { link } = this;
    const leads = !!link && !this.isUnseen() && leadsSomewhere(this.html.slice(link.start, link.end));
    if (leads) this.scan.visible.push(link);
    if (this.tag !== 'a') return;
    this.label = leads ? '' : null;
    this.labelled = leads ? link : null;
  }

  private closeLink(): void {
    if (this.labelled && isUnsubscribeLabel(this.label ?? '')) this.scan.unsubscribeLinks.push(this.labelled);
    this.labelled = null;
    this.label = null;
  }
}
