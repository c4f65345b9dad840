import type { FeedbackKind } from '../../domain/messages/feedback';
import type { Classified } from '../../domain/bounces/bounce-rule';
import type { FieldGroup } from '../../operations/reports/field-groups';
import { oneLine } from '../../lib/one-line';
import { classifyProse } from './prose/classify-prose';
import type { Rules } from './remembered-rules';
import type { ReadPart, Report } from '../../operations/reports/report';

/** First digit of a status code: 2 success, 4 temporary, 5 permanent (RFC 3463 section 3.1). */
type StatusClass = '2' | '4' | '5';

/** Actions of RFC 3464 section 2.3.3 that mean one outcome, whatever the status says. */
const KIND_OF_ACTION: Readonly<Record<string, FeedbackKind>> = {
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
  delayed: 'delayed',
};

/** Recipients of a mail that are read: a message of ours has one recipient, and strangers list thousands. */
export const MAX_GROUPS = 100;

/** Of an address that would be delivered to, when only that was asked: nothing follows. */
const NO_OUTCOME = 'deliverable';

/**
 * The reports of a delivery status (RFC 3464): one per recipient, in the same order, of at most `most`. `prose` is what
 * the mail says beside it; it tells the class when the status does not.
 */
export function readDeliveryStatus(
  groups: readonly FieldGroup[],
  { rules, prose, most = MAX_GROUPS }: StatusReading,
): ReadPart {
  const envelopeId = groups.map((group) => group.get('original-envelope-id')).find(Boolean) ?? null;
  const recipients = wholeGroups(groups)
    .filter((group) => group.has('action'))
    .slice(0, most);
  if (recipients.length === 0) return { reports: [], fault: 'a delivery status without an action' };
  const reports: Report[] = [];
  let fault: string | null = null;
  for (const group of recipients) {
    const action = actionOf(group);
    if (action === NO_OUTCOME) continue;
    const found = readGroup(group, action, { rules, prose });
    if (found) reports.push({ ...found, text: textOf(group), envelopeId, recipients: recipientsOf(group) });
    else fault = `a delivery status with an unknown action: ${oneLine(group.get('action') ?? '')}`;
  }
  return { reports, fault };
}

/** What a delivery status is read with. */
export interface StatusReading {
  rules: Rules;
  prose: string;
  most?: number;
}

/** The groups, with those put together that a stray blank line parted. */
function wholeGroups(groups: readonly FieldGroup[]): FieldGroup[] {
  const whole: FieldGroup[] = [];
  for (const group of groups) {
    const last = whole.at(-1);
    const goesOn = last && !group.has('final-recipient') && [...group.keys()].every((name) => !last.has(name));
    if (goesOn) whole[whole.length - 1] = new Map([...last, ...group]);
    else whole.push(group);
  }
  return whole;
}

/** A field without its comments (RFC 3464 section 2.1.1). */
const withoutComments = (value = ''): string => value.replace(/\([^()]*\)/g, ' ').trim();

const actionOf = (group: FieldGroup): string =>
  /^[a-z]+/.exec(withoutComments(group.get('action')).toLowerCase().replace(/^["']/, ''))?.[0] ?? '';

function readGroup(
  group: FieldGroup,
  action: string,
  reading: StatusReading,
): Pick<Report, 'kind' | 'class' | 'hard'> | null {
  if (action !== 'failed') {
    const kind = KIND_OF_ACTION[action];
    return kind ? { kind, class: null, hard: false } : null;
  }
  const read = classify(group, reading);
  // `failed` means that the MTA gave up; without a status code the action alone decides. A status of success denies it.
  const status = classOf(group);
  const kind = status === '2' ? 'unclear' : status === '4' && !read.hard ? 'expired' : 'bounced';
  return { kind, class: read.class, hard: read.hard };
}

/** By the status and the diagnostic; by the prose only when they say nothing. */
function classify(group: FieldGroup, { rules, prose }: StatusReading): Classified {
  const diagnostic = diagnosticText(group);
  const own = rules.classify(`${statusCode(group) ?? ''} ${diagnostic}`);
  if (prose === '' || (diagnostic !== '' && own.class !== 'unknown')) return own;
  const said = classifyProse(rules, prose, statusCode(group) ?? '');
  return said.class === 'unknown' ? own : said;
}

/** Whichever form it has: `rfc822;ana@toko.example`, `RFC822; Ana <ana@toko.example> (away)`, xtext (RFC 3461). */
const ADDRESS = /(?:"[^"\\@]{1,64}"|[^\s<>()[\]{},;:"'@]{1,128})@[\p{L}\p{M}\p{N}.-]{1,253}/u;
const XTEXT = /\+([0-9A-F]{2})/g;

const recipientsOf = (group: FieldGroup): string[] =>
  ['original-recipient', 'final-recipient', 'x-actual-recipient'].flatMap((name) => {
    const value = group.get(name) ?? '';
    const plain = value.replace(XTEXT, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    return [...new Set([value, plain])].flatMap((text) => {
      const found = ADDRESS.exec(text)?.[0];
      return found === undefined ? [] : [found.toLowerCase()];
    });
  });

function classOf(group: FieldGroup): StatusClass | null {
  const status = statusCode(group)?.[0];
  const reply = /^[245](?=\d\d)/.exec(diagnosticText(group))?.[0];
  // A reply that refuses outweighs a status of success: action and reply both tell of a failure.
  return ((status === '2' ? (reply ?? status) : (status ?? reply)) as StatusClass | undefined) ?? null;
}

function statusCode(group: FieldGroup): string | null {
  const found = /(?<![\d.])([245])\.0{0,2}(\d{1,3})\.0{0,2}(\d{1,3})(?![\d.])/.exec(
    withoutComments(group.get('status')),
  );
  return found && `${found[1]}.${found[2]}.${found[3]}`;
}

/** The diagnostic without its type (`smtp; 550 ...`). */
function diagnosticText(group: FieldGroup): string {
  return (group.get('diagnostic-code') ?? '').replace(/^[\w.-]+\s*;\s*/, '');
}

function textOf(group: FieldGroup): string {
  return oneLine(`${statusCode(group) ?? ''} ${diagnosticText(group)}`);
}
