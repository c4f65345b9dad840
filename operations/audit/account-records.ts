import type { LedgerRecord } from '../../domain/audit/check-ledger-row';
import type { PenaltyRecord } from '../../domain/audit/check-penalties';
import type { KeyRecord } from '../../domain/audit/idempotency-check';
import { PenaltyGroups, type PenaltyGroup } from '../../domain/audit/penalty-groups';
import type { AuditRows, AuditSnapshot } from '../../stores/ports/audit-source';
import { byKey, find } from './rows';

/** The ledger of a workspace in booking order, with the owners of its messages. */
export async function* ledgerRecords(
  rows: AuditSnapshot,
  workspaceId: number,
): AsyncGenerator<(LedgerRecord & AuditRows['ledger'])[]> {
  for await (const page of rows.scan('ledger', workspaceId)) {
    const ids = page.map(({ messageId }) => messageId);
    const mails = byKey(await find(rows, 'mails', 'id', ids), ({ id }) => id);
    yield page.map((row) => ({ ...row, messageWorkspaceId: mails.get(row.messageId ?? '')?.workspaceId ?? null }));
  }
}

/** The penalties of forced sends by address and reason, then the gates without a penalty. */
export async function* penaltyRecords(rows: AuditSnapshot, workspaceId: number): AsyncGenerator<PenaltyRecord[]> {
  const groups = new PenaltyGroups();
  for await (const page of rows.find('ledger', 'prefix', [[workspaceId, 'penalty']])) {
    yield await withGates(rows, workspaceId, groups.add(page.filter(({ messageId }) => messageId === null)));
  }
  yield await withGates(rows, workspaceId, groups.end());
  for await (const gates of rows.scan('gates', workspaceId)) {
    const prefixes = gates.map(({ key }) => [workspaceId, `penalty:${key}`] as const);
    const penalties = await find(rows, 'ledger', 'prefix', prefixes);
    const used = new Set(penalties.map(({ id }) => PenaltyGroups.keyOf(id)));
    const idle = gates.filter(({ key }) => !used.has(key));
    yield idle.map(({ key, at }) => ({ workspaceId, key, gateAt: at, booked: [] }));
  }
}

async function withGates(
  rows: AuditSnapshot,
  workspaceId: number,
  groups: readonly PenaltyGroup[],
): Promise<PenaltyRecord[]> {
  const keys = groups.map(([key]) => [workspaceId, key] as const);
  const gates = byKey(await find(rows, 'gates', 'key', keys), ({ key }) => key);
  return groups.map(([key, booked]) => ({
    workspaceId,
    key,
    booked: booked.sort((a, b) => a - b),
    gateAt: gates.get(key)?.at ?? null,
  }));
}

/** The idempotency keys of a workspace. Keys of the same message are adjacent. */
export async function* keyRecords(rows: AuditSnapshot, workspaceId: number): AsyncGenerator<KeyRecord[]> {
  for await (const page of rows.scan('idempotencyKeys', workspaceId)) {
    const keys = page.map(({ of }) => of);
    const mails = byKey(await find(rows, 'mails', 'key', keys), ({ key }) => key);
    yield page.map(({ key, of }) => {
      const mail = mails.get(of);
      return { workspaceId, key, messageId: mail?.id ?? null, messageWorkspaceId: mail?.workspaceId ?? null };
    });
  }
}
