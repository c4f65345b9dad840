import type { ClientSession } from 'mongodb';
import type { Audience } from '../../../domain/contacts/audience';
import { noteFormBounce } from '../../../domain/contacts/form-auto-pause';
import { confirmationKeys } from '../../../domain/contacts/opt-in';
import type { ConfirmationBounce, MemberRef, OptIn, OptIns } from '../../ports/opt-ins';
import { exists } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guarded } from '../transactions/guard';
import { transact } from '../transactions/transact';
import { submitChange, toAudience, type GroupedMembers } from './audience-store';
import { readConsents } from './consents';
import { toContact } from './contact-store';
import { memberId, toMembership } from './member-document';
import { GLOBAL } from './suppression-store';

/** MongoDB driver of OptIns. */
export function optIns(mongo: Mongo, grouped: GroupedMembers): OptIns {
  return guarded<OptIns>({
    subscribe: async ({ workspaceId, audienceId, contact, language, at }) => {
      const change = { kind: 'join', workspaceId, member: { contact }, source: 'form', language, at } as const;
      return (await submitChange(grouped, audienceId, change)).kind !== 'no_audience';
    },
    find: (ref) => find(mongo, ref),
    confirm: ({ audienceId, ...ref }, at) => submitChange(grouped, audienceId, { kind: 'confirm', ...ref, at }),
    expire: ({ audienceId, ...ref }, at) => submitChange(grouped, audienceId, { kind: 'expire', ...ref, at }),
    noteBounce: (bounce) => transact(mongo, (session) => noteBounce(mongo, session, bounce)),
    consents: async (workspaceId, contactId) => {
      const owned = await exists(documents(mongo.db, 'contacts'), { _id: contactId, workspaceId });
      return owned ? readConsents(mongo.db, contactId) : [];
    },
  });
}

async function find({ db }: Mongo, { workspaceId, audienceId, contactId }: MemberRef): Promise<OptIn | null> {
  const [audience, contact, member] = await Promise.all([
    documents(db, 'audiences').findOne({ _id: audienceId, workspaceId }),
    documents(db, 'contacts').findOne({ _id: contactId, workspaceId }),
    documents(db, 'members').findOne({ _id: memberId(audienceId, contactId) }),
  ]);
  if (!audience || !contact) return null;
  const { emailHash: addressHash } = contact;
  const listed = { workspaceId: { $in: [GLOBAL, workspaceId] }, addressHash };
  return {
    audience: toAudience(audience),
    contact: toContact(contact),
    member: member && toMembership(member),
    suppressed: await exists(documents(db, 'suppressions'), listed),
  };
}

async function noteBounce(
  { db }: Mongo,
  session: ClientSession,
  { workspaceId, contactId, messageId, at }: ConfirmationBounce,
): Promise<Audience | null> {
  const key = (await documents(db, 'messages').findOne({ _id: messageId, workspaceId }, { session }))?.idempotencyKey;
  const memberships =
    key === undefined ? [] : await documents(db, 'members').find({ contactId }, { session }).toArray();
  const of = memberships.find(({ audienceId }) => key?.startsWith(confirmationKeys(audienceId, contactId)));
  const audiences = documents(db, 'audiences');
  const found = of && (await audiences.findOne({ _id: of.audienceId, workspaceId }, { session }));
  if (!found) return null;
  const audience = toAudience(found);
  const formBrake = noteFormBounce(audience.formBrake, { messageId, at });
  if (formBrake === audience.formBrake) return null;
  const change = { $set: { formBrake }, $max: { updatedAt: at } };
  await audiences.updateOne({ _id: audience.id }, change, { session });
  return formBrake.pausedAt === null ? null : { ...audience, formBrake, updatedAt: Math.max(audience.updatedAt, at) };
}
