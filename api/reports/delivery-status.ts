import type { FeedbackKind } from '../../domain/feedback';
import type { FieldGroup } from './field-groups';
import { oneLine } from './one-line';
import type { ParsedMail, Report } from './report';

/** First digit of a status code: 2 success, 4 temporary, 5 permanent (RFC 3463 section 3.1). */
type StatusClass = '2' | '4' | '5';

/** Actions of RFC 3464 section 2.3.3 that mean one outcome, whatever the status says. */
const KIND_OF_ACTION: Readonly<Record<string, FeedbackKind>> = {
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
  delayed: 'delayed',
};

/** The reports of a delivery status (RFC 3464): one per recipient, in the same order. */
export function readDeliveryStatus(groups: readonly FieldGroup[]): ParsedMail {
  const envelopeId = groups.map((group) => group.get('original-envelope-id')).find(Boolean) ?? null;
  const recipients = groups.filter((group) => group.has('action'));
  if (recipients.length === 0) return { reports: [], fault: 'a delivery status without an action' };
  const reports: Report[] = [];
  let fault: string | null = null;
  for (const group of recipients) {
    const kind = kindOf(group);
    if (kind) reports.push({ kind, text: textOf(group), envelopeId });
    else fault = `a delivery status with an unknown action: ${oneLine(group.get('action') ?? '')}`;
  }
  return { reports, fault };
}

function kindOf(group: FieldGroup): FeedbackKind | null {
  const action = /^[a-z]+/.exec(group.get('action')?.toLowerCase() ?? '')?.[0] ?? '';
  if (action !== 'failed') return KIND_OF_ACTION[action] ?? null;
  // `failed` means that the MTA gave up; without a status code the action alone decides. A status of success denies it.
  const status = classOf(group);
  return status === '2' ? 'unclear' : status === '4' ? 'expired' : 'bounced';
}

function classOf(group: FieldGroup): StatusClass | null {
  const status = statusCode(group) ?? /^[245](?=\d\d)/.exec(diagnosticText(group))?.[0];
  return (status?.[0] as StatusClass | undefined) ?? null;
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
