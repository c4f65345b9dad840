import Joi from 'joi';
import { acceptMessage } from '../../operations/messages/accept/accept-messages';
import { Refusal } from '../../operations/messages/accept/refusal';
import type { ExtraDueWork, Services } from '../../app/shared-services';
import type { DueOutcome } from '../../consumers/due-work/due-work';
import { SECOND } from '../../lib/clock';
import type { DueKind } from '../../stores/ports/due-payloads';
import type { ClaimedTask, DueTask } from '../../stores/ports/due-tasks';

/** Of this proof alone: the table of the program does not have it. */
const KIND = 'crash.send' as DueKind;
/** Short, since the service restarts soon after the worker dies, ms. */
const LEASE = SECOND;

/** A mail to send when its task falls due. */
export interface DueSend {
  workspaceId: number;
  domainId: number;
  /** What the sink does with it. */
  recipient: string;
  /** Its idempotency key, and the natural id of its task. */
  key: string;
}

/** The due work of these tasks: the first attempt postpones the task, the next one accepts the mail. */
export const dueSends = (services: Services): ExtraDueWork[] => [
  {
    kind: KIND,
    spec: { name: 'sends', role: 'timers', lease: LEASE, atOnce: 10, versions: [{ schema: Joi.object().unknown() }] },
    handler: { each: (task) => sendWhenDue(services, task) },
  },
];

/** Schedules a mail as due work. Returns the id of the mail once it is accepted, else null. Safe to repeat. */
export async function scheduleSend({ engine, clock }: Services, send: DueSend): Promise<string | null> {
  const { dueTasks, messages } = engine.stores;
  const { workspaceId, domainId, recipient, key } = send;
  const found = await messages.findByIdempotencyKey(workspaceId, key);
  if (found) return found.id;
  const payload = { domainId, recipient };
  const task = { kind: KIND, id: key, workspaceId, lane: '', dueAt: clock.now(), payload };
  await dueTasks.schedule([task as unknown as DueTask]);
  return null;
}

async function sendWhenDue(services: Services, task: ClaimedTask): Promise<DueOutcome> {
  const { engine, keyring, clock, newId } = services;
  const { stores, log } = engine;
  if (task.attempt === 1) return { kind: 'again', next: { dueAt: clock.now() } };
  const workspace = await stores.workspaces.get(task.workspaceId);
  if (!workspace) return { kind: 'given up', reason: 'The workspace is gone.' };
  const { domainId, recipient } = task.payload;
  const to = `${String(recipient)}+1@pelanggan.test`;
  const fields = { to, subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domainId };
  const accepted = await acceptMessage(
    { stores, log, keyring, clock, newId },
    { workspace, channel: 'api', fields, source: 'json', idempotencyKey: task.id },
  );
  return accepted instanceof Refusal ? { kind: 'given up', reason: 'The mail was refused.' } : { kind: 'done' };
}
