import { decodeHTML } from 'entities';
import { Tokenizer } from 'htmlparser2';

/** Where an html document can be changed, as offsets, and what it holds. */
export interface HtmlScan {
  /** Double-quoted values of attributes named `href`, without the quotes, in order. */
  hrefs: { start: number; end: number }[];
  /** Before the last `</body>`, or the end of the document, or before a tag, comment or script that never ends. */
  tail: number;
  /** True when a link is labelled as one to unsubscribe (spec, POST /messages). */
  unsubscribeLabel: boolean;
  /** Comments and the contents of scripts and styles, in order: nothing in there is seen by a reader. */
  hidden: { start: number; end: number }[];
  /** Nesting of elements at its deepest; rather too many than too few where end tags are missing. */
  depth: number;
  /** The same of lists and quotes alone, whose lines are indented in plain text. */
  indent: number;
}

const UNSUBSCRIBE_LABELS: ReadonlySet<string> = new Set(['unsubscribe', 'berhenti langganan', 'berhenti berlangganan']);
const LONGEST_LABEL = 200;
const DOUBLE_QUOTED = 3;
const VOID = new Set('area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '));
const INDENTED = new Set(['ul', 'ol', 'blockquote']);
/** Elements whose content is text whatever it looks like. */
const RAW = new Set('script style title textarea xmp iframe noembed noframes plaintext'.split(' '));

/** Reads an html document once, as a browser would cut it into tags. Linear in its length; throws for no input. */
export function scanHtml(html: string): HtmlScan {
  const scanner = new Scanner(html);
  const tokenizer = new Tokenizer({ decodeEntities: false }, scanner);
  tokenizer.write(html);
  tokenizer.end();
  return scanner.scan;
}

class Scanner {
  readonly scan: HtmlScan;
  private tag = '';
  private attribute = '';
  private value: { start: number; end: number } | null = null;
  private linked = false;
  private tagHrefs: { start: number; end: number }[] = [];
  private label: string | null = null;
  private raw = '';
  private bodyEnd: number | null = null;
  private open = 0;
  private indented = 0;
  private readonly openByName = new Map<string, number>();

  constructor(private readonly html: string) {
    this.scan = { hrefs: [], tail: 0, unsubscribeLabel: false, hidden: [], depth: 0, indent: 0 };
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.linked = false;
    this.tagHrefs = [];
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = null;
  }

  onattribdata(start: number, end: number): void {
    this.value = { start: this.value?.start ?? start, end };
  }

  onattribend(quote: number): void {
    if (this.attribute !== 'href' || !this.value) return;
    this.linked = true;
    if (quote === DOUBLE_QUOTED) this.tagHrefs.push(this.value);
  }

  onopentagend(end: number): void {
    for (const href of this.tagHrefs) this.scan.hrefs.push(href);
    this.raw = RAW.has(this.tag) ? this.tag : '';
    if (!this.raw) this.scan.tail = end + 1;
    if (this.tag === 'a') this.label = this.linked ? '' : null;
    if (VOID.has(this.tag)) return;
    this.openByName.set(this.tag, (this.openByName.get(this.tag) ?? 0) + 1);
    this.scan.depth = Math.max(this.scan.depth, ++this.open);
    if (INDENTED.has(this.tag)) this.scan.indent = Math.max(this.scan.indent, ++this.indented);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    const bracket = this.html.indexOf('>', end);
    if (bracket >= 0) this.scan.tail = bracket + 1;
    this.raw = '';
    if (name === 'body') this.bodyEnd = start - 2;
    if (name === 'a') this.closeLink();
    const count = this.openByName.get(name) ?? 0;
    if (count === 0) return;
    this.openByName.set(name, count - 1);
    this.open--;
    if (INDENTED.has(name)) this.indented--;
  }

  ontext(start: number, end: number): void {
    if (this.raw) {
      if (this.raw !== 'textarea' && this.raw !== 'title') this.scan.hidden.push({ start, end });
      return;
    }
    this.scan.tail = end;
    if (this.label !== null && this.label.length <= LONGEST_LABEL) this.label += this.html.slice(start, end);
  }

  oncomment(start: number, end: number): void {
    this.scan.hidden.push({ start, end });
    if (end < this.html.length) this.scan.tail = end + 1;
  }

  oncdata(start: number, end: number): void {
    this.oncomment(start, end);
  }

  ondeclaration(_start: number, end: number): void {
    if (end < this.html.length) this.scan.tail = end + 1;
  }

  onend(): void {
    this.scan.tail = this.bodyEnd ?? this.scan.tail;
  }

  onattribentity(): void {}
  ontextentity(): void {}
  onprocessinginstruction(): void {}

  private closeLink(): void {
    if (this.label === null || this.label.length > LONGEST_LABEL) return;
    const label = decodeHTML(this.label).replace(/\s+/g, ' ').trim().toLowerCase();
    if (UNSUBSCRIBE_LABELS.has(label)) this.scan.unsubscribeLabel = true;
    this.label = null;
  }
}
