import type { AuditSummary } from '../../operations/audit/run-audit';
import type { Checked, Counted } from '../../operations/audit/audit-findings';
import type { SandboxFile } from '../../operations/audit/open-audit';
import type { Difference } from '../../domain/audit/difference';
import { printable } from '../../lib/printable';
import type { DifferenceGroup } from '../../operations/audit/difference-groups';
import type { Paint, View } from '../../operations/definition';

/** One of each kind, and several. */
const COUNTED: Readonly<Record<Counted, readonly [one: string, several: string]>> = {
  workspaces: ['workspace', 'workspaces'],
  messages: ['message', 'messages'],
  attempts: ['attempt', 'attempts'],
  ledger_rows: ['ledger entry', 'ledger entries'],
  penalties: ['penalty for a forced send', 'penalties for forced sends'],
  idempotency_keys: ['idempotency key', 'idempotency keys'],
  list_counts: ['list counter', 'list counters'],
  engagement_rows: ['engagement record', 'engagement records'],
  campaigns: ['campaign', 'campaigns'],
  enrollments: ['enrollment', 'enrollments'],
  webhook_events: ['webhook event', 'webhook events'],
  conversions: ['conversion', 'conversions'],
  webhook_deliveries: ['webhook delivery', 'webhook deliveries'],
  days: ['day (WIB)', 'days (WIB)'],
  received: ['email in the sandbox', 'emails in the sandbox'],
};

const counted = (n: number, [one, several]: readonly [string, string]): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : several}`;
const differences = (n: number): string => counted(n, ['difference', 'differences']);

/** A difference with both figures, indented by `indent`. */
export function differenceText(paint: Paint, difference: Difference, title: string, indent = ''): string {
  const { expected, found, detail } = difference;
  const lines = [
    title,
    `  ${paint('dim', 'expected')}  ${printable(expected)}`,
    `  ${paint('dim', 'found')}     ${printable(found)}`,
    ...(detail === undefined ? [] : [`  ${printable(detail)}`]),
  ];
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** The groups, each with its count, its likely cause and its first differences. */
export function groupsText(paint: Paint, groups: readonly DifferenceGroup[]): string {
  return groups
    .map(({ rule, count, cause, shown }) => {
      const items = shown.map((difference) => differenceText(paint, difference, printable(difference.subject), '  '));
      const more =
        shown.length > 0 && count > shown.length ? `  and ${(count - shown.length).toLocaleString('en')} more\n` : '';
      return `${paint('bad', rule)}: ${differences(count)}\n  likely cause: ${cause}\n${items.join('')}${more}\n`;
    })
    .join('');
}

/** What the reader must know of the sandbox's mails, one sentence each. */
export function sandboxNotes(file: SandboxFile | null, { notCompared }: AuditSummary, view: View): string[] {
  if (!file) return [];
  const named = `The sandbox file ${printable(file.path)}`;
  if (!file.compared) {
    return [`${named} belongs to another installation (${file.installationId}), so its emails were left out.`];
  }
  const notes: string[] = [];
  if (file.installationId === null) {
    notes.push(
      `${named} does not say which installation it belongs to; its emails were compared. The next start marks it.`,
    );
  }
  if (notCompared > 0) {
    notes.push(
      `${named} starts at ${view.time(file.since)}, so ${counted(notCompared, ['message', 'messages'])} sent earlier could not be compared with it.`,
    );
  }
  return notes;
}

/** The last line: whether it adds up, and what was checked. */
export function conclusionText(paint: Paint, { checked, differences: n, ms }: AuditSummary): string {
  const entries = Object.entries(checked) as [keyof Checked, number][];
  const looked = entries.map(([what, count]) => counted(count, COUNTED[what]));
  const verdict = n === 0 ? paint('good', 'No differences found') : paint('bad', differences(n));
  return `${verdict}: ${looked.join(', ')} checked in ${(ms / 1_000).toFixed(1)} s.`;
}
