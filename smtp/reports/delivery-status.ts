import type { FeedbackKind } from '../../domain/messages/feedback';
import type { Classified } from '../../domain/bounces/bounce-rule';
import type { FieldGroup } from '../../commands/reports/field-groups';
import { oneLine } from '../../lib/one-line';
import type { Rules } from './remembered-rules';
import type { ReadPart, Report } from '../../commands/reports/report';

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
  const recipients = groups.filter((group) => group.has('action')).slice(0, most);
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

const actionOf = (group: FieldGroup): string => /^[a-z]+/.exec(group.get('action')?.toLowerCase() ?? '')?.[0] ?? '';

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
  const said = rules.classify(`${statusCode(group) ?? ''} ${prose}`);
  return said.class === 'unknown' ? own : said;
}

const recipientsOf = (group: FieldGroup): string[] =>
  ['original-recipient', 'final-recipient', 'x-actual-recipient'].flatMap((name) => {
    const address = (group.get(name) ?? '').replace(/^[\w-]{1,20}\s*;/, '').trim();
    return address.includes('@') ? [address.replace(/^<|>$/g, '').toLowerCase()] : [];
  });

function classOf(group: FieldGroup): StatusClass | null {
  const status = statusCode(group)?.[0];
  const reply = /^[245](?=\d\d)/.exec(diagnosticText(group))?.[0];
  // A reply that refuses outweighs a status of success: action and reply both tell of a failure.
  return ((status === '2' ? (reply ?? status) : (status ?? reply)) as StatusClass | undefined) ?? null;
}

function statusCode(group: FieldGroup): string | null {
  return /^[245]\.\d{1,3}\.\d{1,3}/.exec(group.get('status') ?? '')?.[0] ?? null;
}

/** The diagnostic without its type (`smtp; 550 ...`). */
function diagnosticText(group: FieldGroup): string {
  return (group.get('diagnostic-code') ?? '').replace(/^[\w.-]+\s*;\s*/, '');
}

function textOf(group: FieldGroup): string {
  return oneLine(`${statusCode(group) ?? ''} ${diagnosticText(group)}`);
}
