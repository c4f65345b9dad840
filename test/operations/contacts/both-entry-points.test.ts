import { describe, expect, it } from '@jest/globals';
import type { Consent } from '../../../domain/contacts/opt-in';
import { addContact, renameContact, resubscribeContact } from '../../../operations/contacts/change-contact';
import { newContact } from '../../../operations/contacts/new-contact';
import { objectTime } from '../../../schemas/rules/timestamps';
import { onEveryDriver } from '../../contract/drivers';
import type { OpenEngine } from '../../contract/harness';
import { aContact, nextSerial } from '../../support/builders';
import { aJourney, anAudience } from '../../support/marketing';
import { ACTOR, openBothEntryPoints, type BothEntryPoints } from '../both-entry-points';

const anAddress = (): string => `pembeli${nextSerial()}@contoh.test`;

async function consentsOf({ stores, workspace }: BothEntryPoints, email: string): Promise<Omit<Consent, 'at'>[]> {
  const contact = await stores.contacts.find(workspace.id, email);
  return (await stores.optIns.consents(workspace.id, contact!.id)).map(({ at: _at, ...consent }) => consent);
}

/** Contacts and audiences by the REST API and by operations. */
function describeBothEntryPoints(open: OpenEngine): void {
  const at = openBothEntryPoints(open);

  // spec: docs/contract.md#consent: who said so, where that was not the contact
  it('a contact that is added has one consent: of the API, or with who said so', async () => {
    const [byApi, byOperator, joining] = [anAddress(), anAddress(), anAddress()];
    const both = at();
    const { id: audienceId } = await both.stores.audiences.create(anAudience(both.workspace.id));
    await both.rest('post', '/contacts', { email: byApi, consent: true });
    await both.answer('contact.add', { email: byOperator, consent: true });
    await both.answer('contact.add', { email: joining, consent: true, audience: audienceId });
    expect(await consentsOf(both, byApi)).toEqual([{ source: 'api', audienceId: null }]);
    expect(await consentsOf(both, byOperator)).toEqual([{ source: 'cli', audienceId: null, by: ACTOR }]);
    expect(await consentsOf(both, joining)).toEqual([{ source: 'cli', audienceId, by: ACTOR }]);
  });

  // spec: docs/contract.md#consent: of an enrollment in a journey, if it makes the contact
  it('a contact that is enrolled has the same, and so has one that is subscribed again', async () => {
    const both = at();
    const { stores, workspace } = both;
    const { id: journey } = await stores.journeys.create(aJourney(workspace.id, { status: 'active' }));
    const [byApi, byOperator] = [anAddress(), anAddress()];
    await both.rest('post', `/journeys/${journey}/enroll`, { email: byApi, consent: true });
    await both.answer('journey.enroll', { journey, email: byOperator, consent: true });
    expect(await consentsOf(both, byApi)).toEqual([{ source: 'api', audienceId: null }]);
    expect(await consentsOf(both, byOperator)).toEqual([{ source: 'cli', audienceId: null, by: ACTOR }]);
    const { id, email } = await stores.contacts.ensure(aContact(workspace.id));
    await both.rest('post', `/contacts/${id}/unsubscribe`);
    await both.answer('contact.resubscribe', { email, consent: true });
    expect(await consentsOf(both, email)).toEqual([{ source: 'cli', audienceId: null, by: ACTOR }]);
  });

  // spec: docs/contract.md#consent: of what the operator imports
  it('an import with consent notes that of a contact to which only the service wrote', async () => {
    const both = at();
    const { id: workspaceId } = both.workspace;
    const { email, emailHash } = await both.stores.contacts.ensure(aContact(workspaceId, { status: 'not_subscribed' }));
    const row = { email, emailHash, name: null, status: 'subscribed' } as const;
    const agreed = { source: 'import', by: ACTOR } as const;
    const batch = { workspaceId, audienceId: null, contacts: [row], agreed, at: both.api.clock.now() };
    for (let time = 0; time < 2; time++) await both.stores.bulkContacts.add(batch);
    expect(await consentsOf(both, email)).toEqual([{ source: 'import', audienceId: null, by: ACTOR }]);
  });

  // spec: docs/contract.md#contact: subscribed_at of one that never was subscribed
  it('a contact that an import shows as gone has a time for callers of the API, and none for operators', async () => {
    const both = at();
    const { id, email, createdAt } = await both.stores.contacts.ensure(
      aContact(both.workspace.id, { status: 'unsubscribed' }),
    );
    const shown = (await both.rest('get', `/contacts/${id}`)).body;
    expect(shown).toMatchObject({ status: 'unsubscribed', subscribed_at: objectTime(createdAt) });
    expect(await both.answer('contact.show', { email })).toMatchObject({ subscribed_at: null });
  });

  it('a contact whose audience is gone by now is not added', async () => {
    const { stores, workspace, api } = at();
    const contact = newContact(api, workspace, { email: anAddress() });
    const gone = { id: 9_000_000_000 };
    expect(await addContact({ stores }, contact, { source: 'cli', by: ACTOR }, gone)).toBeNull();
    expect(await stores.contacts.find(workspace.id, contact.email)).toBeNull();
  });

  it('a contact that was deleted meanwhile is not taken for the new one of its address', async () => {
    const { stores, workspace, api } = at();
    const before = await stores.contacts.ensure(aContact(workspace.id));
    await stores.contacts.delete(workspace.id, before.id);
    const { email, emailHash } = before;
    const again = await stores.contacts.ensure(aContact(workspace.id, { email, emailHash, name: 'Sari' }));
    const deps = { stores, clock: api.clock };
    expect(await renameContact(deps, before, 'Budi')).toBeNull();
    expect(await resubscribeContact(deps, before, ACTOR)).toBeNull();
    expect(await stores.contacts.get(workspace.id, again.id)).toEqual(again);
  });

  // spec: docs/contract.md#rename-a-contact: both entry points
  it('names, deletes and makes the same, and only operations are in the trail', async () => {
    const both = at();
    const { stores, workspace } = both;
    const made = await Promise.all([
      stores.contacts.ensure(aContact(workspace.id)),
      stores.contacts.ensure(aContact(workspace.id)),
    ]);
    const [one, two] = made.map(({ id }) => id);
    expect((await both.rest('patch', `/contacts/${one}`, { name: 'Budi' })).body['name']).toBe('Budi');
    expect(await both.answer('contact.rename', { email: String(two), name: 'Budi' })).toMatchObject({ name: 'Budi' });
    expect((await both.rest('delete', `/contacts/${one}`)).body).toEqual({ deleted: true });
    expect(await both.answer('contact.delete', { email: String(two) })).toMatchObject({ deleted: true });
    expect((await stores.contacts.list(workspace.id, { offset: 0, limit: 9 })).total).toBe(0);
    await both.rest('post', '/audiences', { name: 'Pelanggan' });
    await both.answer('audience.create', { name: 'Pelanggan' });
    const [first, second] = await stores.audiences.list(workspace.id);
    expect({ ...first, id: 0, publicToken: '' }).toEqual({ ...second, id: 0, publicToken: '' });
    expect((await both.trail()).map(({ actor, action }) => `${actor} ${action}`)).toEqual(
      ['contact rename', 'contact delete', 'audience create'].map((action) => `${ACTOR} ${action}`),
    );
  });
}

describe('contacts by both entry points', () => onEveryDriver(describeBothEntryPoints));
