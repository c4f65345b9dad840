import { runAudit } from '../../app/audit/audit';
import { DAY, MINUTE } from '../../lib/clock';
import { TRANSITIONS } from '../../domain/messages/lifecycle';
import type { Message } from '../../domain/messages/message';
import { wibDay } from '../../domain/wib';
import { openAuditSource } from '../../stores/embedded/audit/audit-source';
import type { LedgerRow } from '../../stores/ports/coin-ledger';
import { join } from 'node:path';
import { aboutWebhooks } from './check-webhooks';
import type { Account, Rig } from './rig';

/**
 * A free account's mails a minute and a day (docs/contract.md#send-rate). The accounts of the model never hold enough
 * for more.
 */
const FREE = { perMinute: 10, perDay: 300 };
const PREMIUM_PER_MINUTE = 1_200;

/**
 * Everything that does not hold once the installation is idle, one line each, with the number in
 * docs/crash-proof.md#the-invariants.
 */
export async function violations(rig: Rig): Promise<string[]> {
  const messages = await rig.messages();
  const found = [...rig.contradictions, ...missing(rig, messages), ...doubled(rig), ...wronglyEnded(rig, messages)];
  for (const message of messages) found.push(...(await aboutMessage(rig, message)));
  for (const account of rig.accounts) found.push(...(await aboutAccount(rig, account, messages)));
  return [...found, ...(await platformDays(rig, messages)), ...(await aboutWebhooks(rig))];
}

/** `kurir audit` over the data of a stopped installation. */
export async function auditOf(rig: Rig): Promise<string[]> {
  const source = openAuditSource(join(rig.dir, 'kurir.sqlite'));
  const found: string[] = [];
  const onDifference = ({
    rule,
    subject,
    expected,
    found: is,
  }: {
    rule: string;
    subject: string;
    expected: string;
    found: string;
  }): void => void found.push(`audit ${rule}: ${subject}: ${is}, not ${expected}`);
  await runAudit(source, { onDifference, patience: 0 });
  await source.close();
  return found;
}

function missing(rig: Rig, messages: Message[]): string[] {
  const ids = new Set(messages.map(({ id }) => id));
  const lost = [...rig.accepted.keys()].filter((id) => !ids.has(id)).map((id) => `I1: ${id} is gone`);
  return ids.size === messages.length ? lost : [...lost, 'I1: an id exists twice'];
}

const doubled = (rig: Rig): string[] =>
  [...rig.mta.taken].flatMap(([id, n]) => (n > 1 ? [`I3: ${id} was taken ${n} times`] : []));

/** Whatever the order and repetition of the reports, the strongest decides (I7). */
function wronglyEnded(rig: Rig, messages: Message[]): string[] {
  return messages.flatMap(({ id, status }) => {
    const reports = rig.reports.get(id) ?? [];
    const heard = (kinds: string[], certain: boolean): boolean =>
      reports.some((report) => kinds.includes(report.kind) && (!certain || (report.certain && report.trusted)));
    const fits =
      status === 'bounced'
        ? heard(['bounced'], false)
        : status === 'delivered'
          ? heard(['delivered', 'complaint'], false) && !heard(['bounced'], true)
          : !heard(['bounced', 'delivered', 'complaint'], true);
    return fits ? [] : [`I7: ${id} is ${status} after ${JSON.stringify(reports)}`];
  });
}

async function aboutMessage(rig: Rig, message: Message): Promise<string[]> {
  const { id, workspaceId, status, attempt } = message;
  const found: string[] = [];
  const rows = await rig.stores.coins.ofMessage(workspaceId, id);
  const sum = (list: LedgerRow[]): number => list.reduce((total, { amount }) => total + amount, 0);
  const penalties = rows.filter(({ kind }) => kind === 'penalty');
  const coins = sum(rows) - sum(penalties);
  if (coins !== (status === 'failed' ? 0 : -1)) found.push(`I4: ${id} is ${status} and moved ${coins} coins`);
  if (penalties.length > 1) found.push(`I4: ${id} has ${penalties.length} penalties`);
  if (coins === -1 && !rig.mta.taken.has(id)) found.push(`I4: ${id} was paid and never handed off`);
  const path = (await rig.stores.messages.history(id)).map((change) => change.status);
  if (path.some((to, n) => n > 0 && !TRANSITIONS[path[n - 1]!].includes(to)))
    found.push(`I6: ${id} went ${path.join(' > ')}`);
  const limit = rig.blocked.get(id);
  if (limit !== undefined && attempt > limit) found.push(`I12: ${id} was claimed after its recipient was blocked`);
  const job = await rig.stores.messages.job(id);
  if (job && job.attachments.length > 0) found.push(`I13: ${id} is ${status} and holds attachments`);
  return found;
}

async function aboutAccount(rig: Rig, { workspace }: Account, messages: Message[]): Promise<string[]> {
  const found: string[] = [];
  const rows = await rig.stores.coins.rows(workspace.id, 0, 10_000);
  const { balance } = await rig.stores.coins.account(workspace.id);
  const sum = rows.reduce((total, { amount }) => total + amount, 0);
  if (sum !== balance) found.push(`I4: workspace ${workspace.id} has ${balance}, its ledger says ${sum}`);
  found.push(...penaltyWindows(rows));
  const others = messages.filter(({ workspaceId }) => workspaceId !== workspace.id).map(({ id }) => id);
  if ((await rig.stores.messages.getMany(workspace.id, others)).length > 0)
    found.push(`I14: workspace ${workspace.id} sees others`);
  const claims = await claimsOf(
    rig,
    messages.filter(({ workspaceId }) => workspaceId === workspace.id),
  );
  const perMinute = rows.some(({ kind }) => kind === 'topup') ? PREMIUM_PER_MINUTE : FREE.perMinute;
  claims.forEach((at, n) => {
    const tooEarly = claims[n + perMinute];
    if (tooEarly !== undefined && tooEarly < at + MINUTE)
      found.push(`I8: more than ${perMinute} claims a minute at ${at}`);
  });
  return found;
}

function penaltyWindows(rows: readonly LedgerRow[]): string[] {
  const last = new Map<string, number>();
  return rows
    .filter(({ kind, messageId }) => kind === 'penalty' && messageId === null)
    .flatMap(({ id, at }) => {
      const gate = id.split(':').slice(1, 3).join(':');
      const before = last.get(gate);
      last.set(gate, at);
      return before !== undefined && at < before + DAY ? [`I5: ${id} is the second within 24 hours`] : [];
    });
}

async function claimsOf(rig: Rig, messages: readonly Message[]): Promise<number[]> {
  const attempts = await Promise.all(messages.map(({ id }) => rig.stores.messages.attempts(id)));
  return attempts
    .flat()
    .map(({ claimedAt }) => claimedAt)
    .sort((a, b) => a - b);
}

async function platformDays(rig: Rig, messages: Message[]): Promise<string[]> {
  const days = new Map<string, number>();
  for (const at of await claimsOf(rig, messages)) days.set(wibDay(at), (days.get(wibDay(at)) ?? 0) + 1);
  const most = rig.cap ?? Infinity;
  return [...days].flatMap(([day, n]) => (n > most ? [`I8: ${n} claims on ${day}, the cap is ${most}`] : []));
}
