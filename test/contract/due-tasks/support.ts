import type { ClaimedTask, DueClaimRequest, DueTask, StoredTask } from '../../../stores/ports/due-tasks';
import { MINUTE } from '../../../lib/clock';
import { nextSerial } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { anyTask } from '../../support/due-work';
import type { Subject } from '../harness';
import { at } from '../helpers';

export const LEASE = MINUTE;

/** A new kind, which keeps the cases of one engine apart. */
export const newKind = (): string => `kind-${nextSerial()}`;

/** A task with a new id that is due now. */
export const aTask = (kind: string, fields: Partial<StoredTask> = {}): DueTask =>
  anyTask({
    kind,
    id: `task-${nextSerial()}`,
    workspaceId: 1,
    lane: '',
    dueAt: NOW,
    payload: { step: 1, of: 'x' },
    ...fields,
  });

/** Claims as one worker does. */
export const claim = (
  { stores }: Subject,
  kind: string,
  { now = NOW, ...fields }: Partial<DueClaimRequest> = {},
): Promise<ClaimedTask[]> => stores.dueTasks.claim({ kind, now, leaseUntil: now + LEASE, limit: 10, ...fields });

/** The one task that can be claimed; fails the case when there is none. */
export const claimOne = async (subject: Subject, kind: string, now = NOW): Promise<ClaimedTask> =>
  at(await claim(subject, kind, { now }), 0);

export const idsOf = (tasks: readonly { id: string }[]): string[] => tasks.map(({ id }) => id);

/** Schedules it and claims it. */
export async function claimNew(subject: Subject, fields: Partial<StoredTask> = {}): Promise<ClaimedTask> {
  const kind = fields.kind ?? newKind();
  await subject.stores.dueTasks.schedule([aTask(kind, fields)]);
  return claimOne(subject, kind);
}
