import { TROUBLED_AFTER } from '../../domain/webhooks/webhook-delivery';
import type { Webhook } from '../../domain/webhooks/webhook';
import type { Stores } from '../../stores/ports';
import type { Check } from './check';

/** Endpoints named in one line. */
const NAMED = 5;

/** Names the webhooks that fail: those set inactive, and those that failed many times in a row. */
export async function checkWebhooks(stores: Pick<Stores, 'workspaces' | 'webhooks'>): Promise<Check[]> {
  const workspaces = await stores.workspaces.list();
  const webhooks: Webhook[] = [];
  for (const { id } of workspaces) webhooks.push(...(await stores.webhooks.list(id)));
  if (webhooks.length === 0) return [];
  const off = webhooks.filter(({ isActive }) => !isActive);
  const failing = webhooks.filter(({ isActive, failures }) => isActive && failures >= TROUBLED_AFTER);
  if (off.length + failing.length === 0) {
    return [{ check: 'webhooks', status: 'ok', detail: `${webhooks.length} registered, none failing` }];
  }
  return [
    ...(failing.length === 0 ? [] : [note(failing, 'failed 20 times in a row or more: kurir webhook deliveries <id>')]),
    ...(off.length === 0 ? [] : [note(off, 'inactive: kurir webhook enable <id>')]),
  ];
}

function note(webhooks: readonly Webhook[], what: string): Check {
  const named = webhooks.slice(0, NAMED).map(({ id, url }) => `${id} (${new URL(url).host})`);
  const more = webhooks.length > NAMED ? ` and ${webhooks.length - NAMED} more` : '';
  return { check: 'webhooks', status: 'note', detail: `${named.join(', ')}${more}: ${what}` };
}
