import { join } from 'node:path';
import { AdvancingClock } from '../app/clock';
import { TRANSITIONS } from '../domain/lifecycle';
import { openEmbedded } from '../stores/embedded/open';
import type { Stores } from '../stores/ports';

const PAGE = 1_000;

/** Recomputes balances and histories of a stopped service's data; answers every difference. */
export async function auditData(dataDir: string): Promise<string[]> {
  const engine = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock: new AdvancingClock() });
  try {
    const found: string[] = [];
    for (const { id } of await engine.stores.workspaces.list()) {
      found.push(...(await auditLedger(engine.stores, id)), ...(await auditHistories(engine.stores, id)));
    }
    const parked = await engine.log.parked(PAGE);
    return [...found, ...parked.map(({ topic, key, reason }) => `parked in ${topic}: ${key}: ${reason}`)];
  } finally {
    await engine.close();
  }
}

async function auditLedger(stores: Stores, workspaceId: number): Promise<string[]> {
  let sum = 0;
  for (let after = 0; ;) {
    const rows = await stores.coins.rows(workspaceId, after, PAGE);
    sum += rows.reduce((total, { amount }) => total + amount, 0);
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.seq ?? 0;
  }
  const { balance } = await stores.coins.account(workspaceId);
  return balance === sum ? [] : [`workspace ${workspaceId}: the balance is ${balance}, its ledger says ${sum}`];
}

async function auditHistories(stores: Stores, workspaceId: number): Promise<string[]> {
  const found: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await stores.messages.list(workspaceId, { offset, limit: PAGE });
    for (const { id, status } of items) {
      const path = (await stores.messages.history(id)).map((change) => change.status);
      const broken = path.findIndex((to, n) => n > 0 && !TRANSITIONS[path[n - 1] ?? 'failed'].includes(to));
      if (path[0] !== 'queued' || path.at(-1) !== status || broken >= 0) {
        found.push(`message ${id}: ${status}, after ${path.join(' > ')}`);
      }
    }
    if (items.length < PAGE) return found;
  }
}
