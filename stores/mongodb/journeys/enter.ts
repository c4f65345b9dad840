import type { ClientSession } from 'mongodb';
import type { EntryTrigger } from '../../../domain/journeys/journey';
import { newEnrollment, triggeredId } from '../../../domain/journeys/enrollment';
import { GLOBAL } from '../contacts/suppression-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { Written } from '../log/outbox';
import { writeEnrollments } from './write-enrollments';

/**
 * Contacts that joined an audience, or came through its form. The caller's transaction writes or touches each of them.
 */
export interface Entry {
  workspaceId: number;
  contactIds: readonly number[];
  trigger: EntryTrigger;
  audienceId: number;
  at: number;
}

/**
 * Enters contacts into the active journeys that the trigger starts, in the transaction of the join itself
 * (docs/architecture.md#journeys). Those that are not subscribed, are suppressed or entered before stay out. A journey
 * on forms without an audience takes those of every form. Returns the records to publish after the commit, or null; the
 * sweeper publishes them otherwise.
 */
export async function enterJourneys(
  mongo: Mongo,
  session: ClientSession,
  { workspaceId, contactIds, trigger, audienceId, at }: Entry,
): Promise<Written | null> {
  const { db } = mongo;
  if (contactIds.length === 0) return null;
  const journeys = await documents(db, 'journeys')
    .find(
      { workspaceId, triggerType: trigger, status: 'active', audienceId: { $in: [audienceId, null] } },
      { session, projection: { version: 1 } },
    )
    .toArray();
  if (journeys.length === 0) return null;
  const allowed = await mayEnter(mongo, session, workspaceId, contactIds);
  const entered = await documents(db, 'enrollments')
    .find(
      { journeyId: { $in: journeys.map(({ _id }) => _id) }, contactId: { $in: allowed } },
      { session, projection: { _id: 0, journeyId: 1, contactId: 1 } },
    )
    .toArray();
  const before = new Set(entered.map(({ journeyId, contactId }) => `${journeyId} ${contactId}`));
  const enrollments = journeys.flatMap(({ _id: journeyId, version }) =>
    allowed
      .filter((contactId) => !before.has(`${journeyId} ${contactId}`))
      .map((contactId) => {
        const id = triggeredId(journeyId, contactId, at);
        return newEnrollment({ id, workspaceId, journeyId, version, contactId }, at);
      }),
  );
  return enrollments.length === 0 ? null : writeEnrollments(mongo, session, enrollments, at);
}

async function mayEnter(
  { db }: Mongo,
  session: ClientSession,
  workspaceId: number,
  contactIds: readonly number[],
): Promise<number[]> {
  const subscribed = await documents(db, 'contacts')
    .find(
      { _id: { $in: [...contactIds] }, workspaceId, status: 'subscribed' },
      { session, projection: { emailHash: 1 } },
    )
    .toArray();
  const listed = await documents(db, 'suppressions')
    .find(
      {
        workspaceId: { $in: [GLOBAL, workspaceId] },
        addressHash: { $in: subscribed.map(({ emailHash }) => emailHash) },
      },
      { session, projection: { _id: 0, addressHash: 1 } },
    )
    .toArray();
  const suppressed = new Set(listed.map(({ addressHash }) => addressHash));
  return subscribed.filter(({ emailHash }) => !suppressed.has(emailHash)).map(({ _id }) => _id);
}
