import type { Services } from '../../app/services';
import type { MemberRef } from '../../stores/ports/opt-ins';
import type { CampaignOrder } from './campaigns';

/** A subscription to an audience with double opt-in, by its form; `key` is the name of the audience. */
export type OptInOrder = CampaignOrder;

/** The member, and the confirmation mail once it is there. */
async function findOptIn(
  { engine: { stores } }: Services,
  { workspaceId, key, to }: OptInOrder,
): Promise<{ ref: MemberRef | null; audienceId: number | null; messageId: string | null }> {
  const audienceId = (await stores.audiences.list(workspaceId)).find(({ name }) => name === key)?.id ?? null;
  const contact = await stores.contacts.find(workspaceId, to);
  const { items } = await stores.messages.list(workspaceId, { offset: 0, limit: 10 });
  const ref = audienceId === null || !contact ? null : { workspaceId, audienceId, contactId: contact.id };
  return { ref, audienceId, messageId: items.find((message) => message.to === to)?.id ?? null };
}

/** Subscribes the contact, unless an earlier process did. Returns the id of the confirmation mail once it has one. */
export async function orderOptIn(services: Services, order: OptInOrder): Promise<string | null> {
  const { engine, clock, keyring } = services;
  const { stores } = engine;
  const { workspaceId, to: email, key } = order;
  const found = await findOptIn(services, order);
  const at = clock.now();
  const list = { name: key, description: null, publicToken: key, optInMode: 'double' as const, createdAt: at };
  const audienceId = found.audienceId ?? (await stores.audiences.create({ ...list, workspaceId })).id;
  const member = found.ref && (await stores.optIns.find(found.ref))?.member;
  if (!member) {
    const contact = { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at };
    await stores.optIns.subscribe({ workspaceId, audienceId, contact, language: 'id', at });
  }
  return found.messageId;
}

/** Confirms as the link of the mail does. True once the contact is a member. */
export async function isOptInDone(services: Services, order: OptInOrder): Promise<boolean> {
  const { engine, clock } = services;
  const { ref } = await findOptIn(services, order);
  if (!ref) return false;
  await engine.stores.optIns.confirm(ref, clock.now());
  const optIn = await engine.stores.optIns.find(ref);
  const confirmedAt = optIn?.member?.confirmedAt ?? null;
  return confirmedAt !== null && optIn?.audience.contactsCount === 1;
}
