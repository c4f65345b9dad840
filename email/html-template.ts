import { generatedText } from './generated-text';
import { escapeHtml } from './html-escape';
import { cutHtml, type HtmlPart } from './html-parts';
import type { HtmlScan, HtmlShape } from './html-scan';
import type { MailLinks } from './mail-links';
import { findMergeTags, tagValue, type FoundTag, type MergeValues, type TagUse } from './merge-tags';
import type { FilledSize } from '../domain/messages/mail-size';
import type { Language } from '../domain/settings/language';
import { RECIPIENT_TEXTS } from '../domain/recipient-texts';
import { HIDDEN_PLACE } from '../domain/messages/message-tokens';
import { addMerged, mergedText, type MergedText } from './merged-text';
import { QpJoin, qpPart } from './quoted-printable';
import { scanTemplate } from './scan-template';
import { destinationOf, withMessageId } from './tracked-url';
import { TagTally, type ValueParts } from './value-parts';

/**
 * The values that differ per recipient. `svcMid` is the message id to add to destinations, but not on `unmarkedHosts`;
 * null: none.
 */
interface HtmlRecipient {
  values: MergeValues;
  /** The same values as they stand in html. */
  parts: ValueParts;
  links: MailLinks;
  /** Its language; null: none, whatever links the html has. */
  footer: Language | null;
  svcMid: string | null;
  unmarkedHosts: readonly string[];
}

/**
 * The html of one recipient, quoted-printable, and the destinations of its tracked links: index n is the target of link
 * n.
 */
interface RenderedHtml {
  text: string;
  destinations: string[];
}

const footerIn = (language: Language): MergedText =>
  mergedText(`<div style="margin-top:32px;padding:16px;border-top:1px solid #e5e7eb;\
font:12px/1.5 Arial,Helvetica,sans-serif;color:#6b7280;text-align:center">
<div><strong>{{bisnis}}</strong></div>
<div>{{alamat_bisnis}}</div>
<div><a href="{{unsubscribe_url}}" style="color:#6b7280">${RECIPIENT_TEXTS[language].footer.unsubscribe}</a></div>
</div>
`);

const FOOTERS: Readonly<Record<Language, MergedText>> = { id: footerIn('id'), en: footerIn('en') };

const PREHEADER_STYLE = 'display:none;max-height:0;max-width:0;opacity:0;overflow:hidden;font-size:1px;mso-hide:all';
/** Invisible characters keep the first words of the mail out of the line that mail programs show. */
const AFTER_PREHEADER = qpPart(`${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>`);

/**
 * The html of a mail, cut once for all recipients: merge tags, tracked links, the place for the preheader, and that for
 * the footer and the open pixel (docs/contract.md#composition).
 */
export class HtmlTemplate {
  /** True when the html has no unsubscribe link, so that the mail gets a footer. */
  readonly needsFooter: boolean;
  private readonly parts: HtmlPart[];
  private readonly tallies: HtmlTallies;
  private readonly shape: HtmlShape;
  private generated: MergedText | undefined;

  /** `variables`: names of merge tags of its own. */
  constructor(
    private readonly html: string,
    private readonly variables: readonly string[] = [],
  ) {
    const { tags, scan } = scanTemplate(html, variables);
    this.shape = { depth: scan.depth, indent: scan.indent };
    this.parts = cutHtml(html, tags, scan);
    this.tallies = tallied(this.parts);
    this.needsFooter = needsFooter(tags, scan);
  }

  /** The text part made from this html, with its merge tags still unfilled (docs/contract.md#text-part). */
  get plainText(): MergedText {
    return (this.generated ??= generatedText(this.html, findMergeTags(this.html, this.variables), this.shape));
  }

  /** What the html of a recipient takes, without what is put around its content. */
  sizeFor({ parts, links, svcMid }: Pick<HtmlRecipient, 'parts' | 'links' | 'svcMid'>): FilledSize {
    const { content, urls, inLinks, tracked } = this.tallies;
    const ofLinks = urls + inLinks.bytesWith(parts);
    const mail = content.bytesWith(parts);
    if (links.clicks === null) return { mail: mail + ofLinks, links: 0 };
    const marks = svcMid === null ? 0 : tracked * svcMid.length;
    return { mail: mail + tracked * links.clicks.length, links: ofLinks + marks };
  }

  render(recipient: HtmlRecipient): RenderedHtml {
    const join = new QpJoin();
    const destinations: string[] = [];
    for (const part of this.parts) {
      if (part.kind === 'literal') join.add(part.part);
      else if (part.kind === 'value') join.add(recipient.parts.of(part.use));
      else if (part.kind === 'link') join.add(qpPart(track(part.url, recipient, destinations)));
      else if (part.kind === 'merged-link') join.add(qpPart(mergeLink(part.pieces, recipient, destinations)));
      else if (part.kind === 'preheader') addPreheader(join, recipient.values.preheader);
      else this.addTail(join, recipient, destinations.length > 0);
    }
    return { text: join.text, destinations };
  }

  private addTail(join: QpJoin, { parts, links, footer }: HtmlRecipient, isTracked: boolean): void {
    if (footer && this.needsFooter) addMerged(join, FOOTERS[footer], parts);
    if (isTracked && links.clicks !== null) join.add(qpPart(hiddenLink(links.clicks)));
    if (links.open === null) return;
    const size = 'width="1" height="1" style="display:block;width:1px;height:1px;border:0"';
    join.add(qpPart(`<img src="${escapeHtml(links.open)}" alt="" ${size}>`));
  }
}

/** What the parts of a template take, apart from the values in it. */
interface HtmlTallies {
  /** Everything but links. */
  content: TagTally;
  /** Links with tags: whether they are tracked is known per recipient. */
  inLinks: TagTally;
  /** Characters of the links without tags. */
  urls: number;
  /** How many of those there are. */
  tracked: number;
}

function tallied(parts: readonly HtmlPart[]): HtmlTallies {
  const tallies = { content: new TagTally(), inLinks: new TagTally(), urls: 0, tracked: 0 };
  for (const part of parts) {
    if (part.kind === 'literal') tallies.content.addFixed(part.part.text.length);
    else if (part.kind === 'value') tallies.content.addTag(part.use);
    else if (part.kind === 'merged-link') tallyLink(tallies.inLinks, part.pieces);
    else if (part.kind === 'link') {
      tallies.urls += part.url.length;
      tallies.tracked += 1;
    }
  }
  return tallies;
}

function tallyLink(tally: TagTally, pieces: readonly (string | TagUse)[]): void {
  for (const piece of pieces) {
    if (typeof piece === 'string') tally.addFixed(piece.length);
    else tally.addTag(piece);
  }
}

/** A link for machines that follow every link: no text, not shown, not read out, not reached by the keyboard. */
const hiddenLink = (clicks: string): string =>
  `<a href="${escapeHtml(clicks + HIDDEN_PLACE)}" aria-hidden="true" tabindex="-1" style="display:none"></a>`;

function addPreheader(join: QpJoin, preheader: string): void {
  if (preheader === '') return;
  join.add(qpPart(`<div style="${PREHEADER_STYLE}">${escapeHtml(preheader)}`));
  join.add(AFTER_PREHEADER);
}

/** True when a reader of the html finds no unsubscribe link in it (docs/contract.md#footer). */
export function needsFooter(tags: readonly FoundTag[], { unsubscribeLinks, visible }: HtmlScan): boolean {
  let next = 0;
  return (
    unsubscribeLinks.length === 0 &&
    !tags.some((tag) => {
      if (tag.field !== 'unsubscribe') return false;
      while (next < visible.length && visible[next]!.end <= tag.start) next++;
      return next < visible.length && visible[next]!.start <= tag.start;
    })
  );
}

const htmlValue = (use: TagUse, values: MergeValues): string => escapeHtml(tagValue(use, values));

function track(url: string, { links, svcMid, unmarkedHosts }: HtmlRecipient, destinations: string[]): string {
  if (links.clicks === null) return escapeHtml(url);
  const n = destinations.push(svcMid === null ? url : withMessageId(url, svcMid, unmarkedHosts)) - 1;
  return escapeHtml(links.clicks + String(n));
}

/**
 * The merged `href`: tracked if it is now an http(s) URL other than the recipient's own links to unsubscribe and to the
 * page.
 */
function mergeLink(pieces: readonly (string | TagUse)[], recipient: HtmlRecipient, destinations: string[]): string {
  const merged = pieces
    .map((piece) => (typeof piece === 'string' ? piece : htmlValue(piece, recipient.values)))
    .join('');
  const url = destinationOf(merged);
  const { unsubscribe, browser } = recipient.links;
  if (url === null || url.startsWith(unsubscribe) || (browser !== null && url.startsWith(browser))) return merged;
  return track(url, recipient, destinations);
}
