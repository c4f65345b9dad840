import { DRIVE_WORK } from '../../domain/campaigns/campaign-moves';
import { CONFIRM_MAIL } from '../../domain/contacts/opt-in';
import { CONVERSION_WORK } from '../../domain/conversions/attribution';
import { GOAL_WORK, POST_WORK, STEP_WORK } from '../../domain/journeys/enrollment';
import { WEBHOOK_WORK } from '../../domain/webhooks/webhook-delivery';
import type { Stores } from '../../stores/ports';
import type { Engine } from '../../stores/ports/engine';
import { GROUPS, type GroupName } from '../../streams/topics';

/** Kinds of due work that end by themselves. */
const ENDING = [WEBHOOK_WORK, CONVERSION_WORK, STEP_WORK, POST_WORK, GOAL_WORK, DRIVE_WORK, CONFIRM_MAIL];
/** More messages than a workspace has. */
const MAX = 10_000_000;

export const FINAL: ReadonlySet<string> = new Set(['delivered', 'bounced', 'failed']);

/** The kinds of work that ends by itself which wait, and when the next of each is due, ms. */
export async function waitingWork({ dueTasks }: Pick<Stores, 'dueTasks'>): Promise<{ kind: string; dueAt: number }[]> {
  const found: { kind: string; dueAt: number }[] = [];
  for (const kind of ENDING) {
    const dueAt = await dueTasks.nextDue(kind);
    if (dueAt !== null) found.push({ kind, dueAt });
  }
  return found;
}

/** What is not done yet, in words; empty when every message is final and no work is left that ends by itself. */
export async function leftIn({ workspaces, messages, dueTasks }: Stores): Promise<string> {
  for (const kind of ENDING) if ((await dueTasks.nextDue(kind)) !== null) return `${kind} waits`;
  for (const { id: workspaceId } of await workspaces.list()) {
    const { items } = await messages.list(workspaceId, { offset: 0, limit: MAX });
    const open = items.find(({ status }) => !FINAL.has(status));
    if (open) return `${open.id} is ${open.status}`;
  }
  return '';
}

/** The same with what groups have not read, and when the next of it falls due, ms; Infinity for never. */
export async function leftOf({ stores, log }: Engine): Promise<{ what: string; due: number }> {
  const { dueTasks, deadlines } = stores;
  const times = [await deadlines.nextDeadline()];
  // A campaign that is driven only looks at its mails again.
  for (const kind of ENDING) if (kind !== DRIVE_WORK) times.push(await dueTasks.nextDue(kind));
  const left = [await leftIn(stores)].filter((work) => work !== '');
  for (const group of Object.keys(GROUPS) as GroupName[]) {
    const lag = await log.lag(group);
    if (lag > 0) left.push(`${group} lags by ${lag}`);
  }
  return { what: left.join(', '), due: Math.min(...times.map((at) => at ?? Infinity)) };
}
