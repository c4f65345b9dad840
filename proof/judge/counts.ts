import type { Act } from './acts';
import { isRefused, isPermanent } from './models/hand-off';
import { forcedReason, isPunished } from './models/penalties';
import { isAccepted } from './models/attempts';
import { takesOf, type Run, type Workspace } from './run';
import { TEXTS } from './rules';

/** What a run covered, by class; a class that did not come is 0, and one of a kind (`reports.spam`) is not there. */
export type Counts = Record<string, number>;

/** The classes that every run is counted by. Beside them stand `reports.<kind>` and `faults.<kind>`. */
export const CLASSES = [
  ...['lines', 'workspaces', 'messages', 'sends', 'unknownSends', 'refusedSends', 'repeats', 'forcedSends'],
  ...['takes', 'unansweredTakes', 'refusals', 'permanentRefusals', 'refusedMails', 'threeDayRetries'],
  ...['reports', 'unknownReports', 'doubledReports', 'delivered', 'bounced', 'failed', 'withoutRecord', 'withoutCoins'],
  ...['penalties', 'refunds', 'lateDebits', 'topUps', 'balanceReads', 'blocks', 'blockedMessages'],
  ...['hooks', 'webhooks', 'failedWebhooks', 'cutWebhooks', 'repeatedWebhooks', 'opens', 'clicks', 'faults', 'audits'],
  ...['relayed', 'relayRepeats', 'relayRefusals', 'members', 'campaigns', 'campaignMails', 'skippedRecipients'],
  ...['pauses', 'resumptions', 'cancellations', 'looks', 'enrollments', 'journeyMails', 'journeyWaits', 'completed'],
  ...['leftJourneys', 'goals', 'forms', 'confirmations', 'sales', 'linkedSales', 'repeatedSales'],
];

/** Counts what the judge was given, so that an empty run is no success. */
export function countRun(run: Run): Counts {
  const counts: Counts = Object.fromEntries(CLASSES.map((name) => [name, 0]));
  const add = (name: string, by: number | boolean = 1): void => void (counts[name] = (counts[name] ?? 0) + Number(by));
  add('lines', run.lines);
  add('workspaces', run.workspaces.size);
  add('audits', run.audits.filter(({ answer }) => answer).length);
  add('faults', run.faults.length);
  for (const { value } of run.faults) add(`faults.${value.kind}`);
  for (const workspace of run.workspaces.values()) {
    countAccount(workspace, add);
    countMessages(workspace, add);
    countWebhooks(workspace, add);
    countMarketing(workspace, add);
    countJourneys(workspace, add);
    countSales(workspace, add);
  }
  return counts;
}

type Add = (name: string, by?: number | boolean) => void;
const ok = ({ result }: Pick<Act, 'result'>): boolean => result === 'ok';

function countAccount({ sends, topUps, balances, blocks, finals, hooks }: Workspace, add: Add): void {
  for (const send of sends) {
    add('sends', ok(send));
    add('repeats', send.answer?.status === 200);
    add('unknownSends', send.result === 'info');
    add('refusedSends', send.result === 'fail');
    add('forcedSends', forcedReason(send) !== null);
  }
  add('topUps', topUps.filter(ok).length);
  add('balanceReads', balances.filter(ok).length);
  add('blocks', blocks.filter(ok).length);
  add('hooks', hooks.length);
  for (const { kind, id } of finals.flatMap(({ answer }) => answer?.ledger ?? [])) {
    add('refunds', kind === 'refund');
    add('lateDebits', kind === 'debit' && id.endsWith(':late'));
  }
}

function countMessages({ messages }: Workspace, add: Add): void {
  add('messages', messages.length);
  for (const message of messages) {
    const { attempts, reports, opens, clicks, final } = message;
    const takes = takesOf(message);
    add('takes', takes.length);
    add('unansweredTakes', takes.filter(({ result }) => result === 'info').length);
    add('refusals', attempts.filter(isRefused).length);
    add('permanentRefusals', attempts.filter(isPermanent).length);
    add('refusedMails', attempts.filter(({ f, result }) => f === 'take' && result === 'fail').length);
    add('reports', reports.filter(ok).length);
    add('unknownReports', reports.filter(({ result }) => result === 'info').length);
    for (const { value } of reports) add(`reports.${value.kind}`);
    add('doubledReports', reports.length - new Set(reports.map(({ value }) => value.kind)).size);
    add('penalties', takes.length > 0 && reports.some((report) => ok(report) && isPunished(report.value.kind)));
    add('opens', opens.filter(ok).length);
    add('clicks', clicks.filter(ok).length);
    if (!final) continue;
    if (['delivered', 'bounced', 'failed'].includes(final.state)) add(final.state);
    add('threeDayRetries', takes.length === 0 && (final.reason ?? '').startsWith(TEXTS.exhausted));
    add('withoutRecord', final.reason === TEXTS.noRecord);
    add('withoutCoins', final.reason === TEXTS.noCoins);
    add('blockedMessages', final.reason === TEXTS.suppressed || final.reason === TEXTS.deleted);
  }
}

function countMarketing({ sends, messages, more }: Workspace, add: Add): void {
  const relayed = sends.filter(({ value }) => value.relay);
  const taken = relayed.filter(ok);
  add('relayed', taken.length);
  add('relayRepeats', taken.length - new Set(taken.map(({ value }) => value.key)).size);
  add('relayRefusals', relayed.filter(({ result }) => result === 'fail').length);
  add('members', more.join.filter(ok).length);
  add('campaigns', more.campaign.filter(ok).length);
  add(
    'campaignMails',
    messages.filter((message) => message.origin?.by.f === 'campaign' && takesOf(message).length > 0).length,
  );
  const moves = more.move.filter(ok);
  for (const [name, of] of Object.entries({ pauses: 'pause', resumptions: 'resume', cancellations: 'cancel' }))
    add(name, moves.filter(({ value }) => value.move === of).length);
  add('looks', more.progress.filter(ok).length);
  for (const { recipients } of more.export[0]?.answer?.campaigns ?? [])
    add('skippedRecipients', recipients.filter(({ state }) => state === 'skipped').length);
  add('forms', more.join.filter((join) => ok(join) && join.value.double).length);
  add('confirmations', more.confirm.filter(ok).length);
}

function countJourneys({ messages, more }: Workspace, add: Add): void {
  add('enrollments', more.enroll.filter(ok).length);
  add(
    'journeyMails',
    messages.filter((message) => message.origin?.journey != null && takesOf(message).length > 0).length,
  );
  for (const { contacts } of more.export[0]?.answer?.journeys ?? []) {
    for (const { state, reason, steps } of contacts) {
      add('journeyWaits', steps.filter(({ type }) => type === 'wait').length);
      add('completed', state === 'completed');
      add('leftJourneys', state === 'left');
      add('goals', reason === 'goal');
    }
  }
}

function countSales({ more }: Workspace, add: Add): void {
  const sales = more.sale.filter(ok);
  add('sales', sales.length);
  add('repeatedSales', sales.filter(({ answer }) => answer?.duplicate).length);
  add('linkedSales', more.export[0]?.answer?.sales.length ?? 0);
}

function countWebhooks({ hooks }: Workspace, add: Add): void {
  for (const { delivers } of hooks) {
    const accepted = new Set<string>();
    for (const deliver of delivers) {
      const isGood = isAccepted(deliver);
      add('webhooks', isGood);
      add('failedWebhooks', ok(deliver) && !isGood);
      add('cutWebhooks', !ok(deliver));
      add('repeatedWebhooks', accepted.has(deliver.value.id));
      if (isGood) accepted.add(deliver.value.id);
    }
  }
}
