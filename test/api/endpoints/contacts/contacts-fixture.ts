import { beforeEach, expect, test } from '@jest/globals';
import type { Contact } from '../../../../domain/contacts/contact';
import { aContact } from '../../../support/builders';
import { TestApi, type Account, type Answer } from '../../../support/test-api';

/** Texts in a path that are not contact ids. */
export const NO_IDS = [
  ...['0', '-1', '+1', '1.5', '1e3', '0x1', '01', '1%20', '%201', 'abc', 'null', '__proto__', '%00', '1%00', '1%2F1'],
  ...['9007199254740993', '9'.repeat(400), '%F0%9F%8C%B8', '%D9%A1', '1,2'],
];

/** The API for a test file of the contacts endpoints. */
export class ContactsFixture {
  readonly api = TestApi.ofFile();
  /** A new one for each case. */
  account!: Account;

  /** Creates a contact of the account. */
  contact(change: Parameters<typeof aContact>[1] = {}): Promise<Contact> {
    return this.api.stores.contacts.ensure(aContact(this.account.workspace.id, change));
  }

  ask(method: 'get' | 'post' | 'patch' | 'delete', path: string | number = '', body?: string | object) {
    const asking = this.api.ask(method, `/v1/contacts${path === '' ? '' : `/${path}`}`, this.account.key);
    return body === undefined ? asking : asking.send(body);
  }

  /** The contact as stored now. */
  stored({ workspaceId, id }: Contact): Promise<Contact | null> {
    return this.api.stores.contacts.get(workspaceId, id);
  }
}

/** Opens the API for a test file. */
export function openContactsFixture(): ContactsFixture {
  const fixture = new ContactsFixture();
  beforeEach(async () => {
    fixture.account = await fixture.api.account();
  });
  return fixture;
}

/** The cases of a contact id in the path that leads to no contact. */
export function idCases(fixture: ContactsFixture, ask: (id: string | number) => PromiseLike<Answer>): void {
  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 404 for an id that is unknown, malformed, another
  //   account's or deleted before
  // spec: docs/contract.md#error-statuses: contacts: 404 not found, owned by another account, malformed ID
  test.each(NO_IDS)('404: the malformed id %s', async (id) => {
    expect(outcome(await ask(id))).toEqual([404, 'Not Found.']);
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 404 for an id that is unknown, malformed, another
  //   account's or deleted before
  test('404: an id that nobody has', async () => {
    expect(outcome(await ask(9_007_199_254_740_991))).toEqual([404, 'Not Found.']);
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 404 for an id that is unknown, malformed, another
  //   account's or deleted before
  // spec: docs/contract.md#error-statuses: contacts: 404 not found, owned by another account, malformed ID
  test('404: a contact owned by another account, which stays as it is', async () => {
    const theirs = await fixture.api.stores.contacts.ensure(aContact((await fixture.api.account()).workspace.id));
    expect(outcome(await ask(theirs.id))).toEqual([404, 'Not Found.']);
    expect(await fixture.stored(theirs)).toEqual(theirs);
  });

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: 404 for an id that is unknown, malformed, another
  //   account's or deleted before
  test('404: a contact that was deleted', async () => {
    const contact = await fixture.contact();
    await fixture.api.stores.contacts.delete(contact.workspaceId, contact.id);
    expect(outcome(await ask(contact.id))).toEqual([404, 'Not Found.']);
  });
}

/** The case of a key without the scope. */
export function scopeCase(fixture: ContactsFixture, ask: () => PromiseLike<Answer>): void {
  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: scope `manage_contacts`
  test(`403: API key ini tidak punya scope 'manage_contacts'.`, async () => {
    const { key } = await fixture.api.key(fixture.account.workspace, ['send_email', 'manage_webhooks']);
    fixture.account = { ...fixture.account, key };
    expect(outcome(await ask())).toEqual([403, "API key ini tidak punya scope 'manage_contacts'."]);
  });
}

export const outcome = ({ status, body }: Answer): [number, string] => [status, body.message];
