import type { OpenedEnrollment } from '../../ports/journey-runs';
import { asksForSignals } from '../../shared/journey-tasks';
import { toContact } from '../contacts/contact-store';
import { GLOBAL } from '../contacts/suppression-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, type ContactDocument } from '../database/documents';
import { versionId } from './enrollment-fields';

/** Reads enrollments for stepping; see JourneyRuns.open. */
export async function openEnrollments(mongo: Mongo, ids: readonly string[]): Promise<OpenedEnrollment[]> {
  const { db } = mongo;
  const found = await documents(db, 'enrollments')
    .find({ _id: { $in: [...ids] }, status: 'active' })
    .toArray();
  if (found.length === 0) return [];
  const [journeys, versions, contacts] = await Promise.all([
    documents(db, 'journeys')
      .find({ _id: { $in: unique(found.map(({ journeyId }) => journeyId)) } }, { projection: { name: 1, status: 1 } })
      .toArray(),
    documents(db, 'journeyVersions')
      .find({ _id: { $in: unique(found.map(({ journeyId, version }) => versionId(journeyId, version))) } })
      .toArray(),
    documents(db, 'contacts')
      .find({ _id: { $in: unique(found.map(({ contactId }) => contactId)) } })
      .toArray(),
  ]);
  const suppressed = await readSuppressed(mongo, contacts);
  const asking = new Set(versions.filter(asksForSignals).map(({ _id }) => _id));
  const signals = await readSignals(
    mongo,
    found.flatMap(({ _id, journeyId, version }) => (asking.has(versionId(journeyId, version)) ? [_id] : [])),
  );
  const journeyOf = new Map(journeys.map(({ _id, name, status }) => [_id, { name, status }]));
  const versionOf = new Map(versions.map(({ _id, steps, goal }) => [_id, { steps, goal }]));
  const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
  return found.flatMap((document) => {
    const journey = journeyOf.get(document.journeyId);
    const version = versionOf.get(versionId(document.journeyId, document.version));
    if (!journey || !version) return [];
    const contact = contactOf.get(document.contactId);
    return [
      {
        enrollment: fromDocument(document),
        journey,
        version,
        contact: contact ? toContact(contact) : null,
        suppressed: suppressed.has(document.contactId),
        ...(signals.get(document._id) ?? { opened: [], clicked: [] }),
      },
    ];
  });
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The ids of the contacts that are suppressed. */
async function readSuppressed({ db }: Mongo, contacts: readonly ContactDocument[]): Promise<Set<number>> {
  const workspaces = unique([GLOBAL, ...contacts.map(({ workspaceId }) => workspaceId)]);
  const listed = await documents(db, 'suppressions')
    .find(
      { workspaceId: { $in: workspaces }, addressHash: { $in: unique(contacts.map(({ emailHash }) => emailHash)) } },
      { projection: { _id: 0, workspaceId: 1, addressHash: 1 } },
    )
    .toArray();
  const entries = new Set(listed.map(({ workspaceId, addressHash }) => `${workspaceId} ${addressHash}`));
  const isListed = ({ workspaceId, emailHash }: ContactDocument): boolean =>
    entries.has(`${GLOBAL} ${emailHash}`) || entries.has(`${workspaceId} ${emailHash}`);
  return new Set(contacts.filter(isListed).map(({ _id }) => _id));
}

async function readSignals(
  { db }: Mongo,
  enrollmentIds: readonly string[],
): Promise<Map<string, { opened: number[]; clicked: number[] }>> {
  if (enrollmentIds.length === 0) return new Map();
  const mails = await documents(db, 'enrollmentSteps')
    .find({ enrollmentId: { $in: [...enrollmentIds] }, messageId: { $ne: null } })
    .sort({ enrollmentId: 1, step: 1 })
    .toArray();
  const messages = await documents(db, 'messages')
    .find(
      { _id: { $in: mails.flatMap(({ messageId }) => messageId ?? []) } },
      { projection: { openedByPeopleAt: 1, clickedByPeopleAt: 1 } },
    )
    .toArray();
  const hits = new Map(messages.map((message) => [message._id, message]));
  const found = new Map(enrollmentIds.map((id) => [id, { opened: [] as number[], clicked: [] as number[] }]));
  for (const { enrollmentId, step, messageId } of mails) {
    const hit = messageId === null ? undefined : hits.get(messageId);
    if (hit?.openedByPeopleAt != null) found.get(enrollmentId)!.opened.push(step);
    if (hit?.clickedByPeopleAt != null) found.get(enrollmentId)!.clicked.push(step);
  }
  return found;
}
