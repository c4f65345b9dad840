import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Contact } from '../../../../domain/contact';
import { aContact } from '../../../support/builders';
import { TestApi, type Account, type Answer } from '../../../support/test-api';

/** Texts that are no id of a contact, as a path may hold them. */
export const NO_IDS = [
  ...['0', '-1', '+1', '1.5', '1e3', '0x1', '01', '1%20', '%201', 'abc', 'null', '__proto__', '%00', '1%00', '1%2F1'],
  ...['9007199254740993', '9'.repeat(400), '%F0%9F%8C%B8', '%D9%A1', '1,2'],
];

/** What the cases of the endpoints of contacts share. */
export class ContactDesk {
  world!: TestApi;
  /** A fresh one for each case. */
  account!: Account;

  /** A contact of the account. */
  contact(change: Parameters<typeof aContact>[1] = {}): Promise<Contact> {
    return this.world.stores.contacts.ensure(aContact(this.account.workspace.id, change));
  }

  ask(method: 'get' | 'post' | 'patch' | 'delete', path: string | number = '', body?: string | object) {
    const asking = this.world.ask(method, `/v1/contacts${path === '' ? '' : `/${path}`}`, this.account.key);
    return body === undefined ? asking : asking.send(body);
  }

  /** The contact as it is stored now. */
  stored({ workspaceId, id }: Contact): Promise<Contact | null> {
    return this.world.stores.contacts.get(workspaceId, id);
  }
}

/** Opens the API for a test file. */
export function contactDesk(): ContactDesk {
  const desk = new ContactDesk();
  beforeAll(async () => {
    desk.world = await TestApi.open();
  });
  beforeEach(async () => {
    desk.account = await desk.world.account();
  });
  afterAll(() => desk.world.close());
  return desk;
}

/** The cases of an endpoint with a contact's id in its path that never reach a contact. */
export function idCases(desk: ContactDesk, ask: (id: string | number) => PromiseLike<Answer>): void {
  test.each(NO_IDS)('404: the malformed id %s', async (id) => {
    expect(outcome(await ask(id))).toEqual([404, 'Not Found.']);
  });

  test('404: an id that nobody has', async () => {
    expect(outcome(await ask(9_007_199_254_740_991))).toEqual([404, 'Not Found.']);
  });

  test('404: a contact owned by another account, which stays as it is', async () => {
    const theirs = await desk.world.stores.contacts.ensure(aContact((await desk.world.account()).workspace.id));
    expect(outcome(await ask(theirs.id))).toEqual([404, 'Not Found.']);
    expect(await desk.stored(theirs)).toEqual(theirs);
  });

  test('404: a contact that was deleted', async () => {
    const contact = await desk.contact();
    await desk.world.stores.contacts.delete(contact.workspaceId, contact.id);
    expect(outcome(await ask(contact.id))).toEqual([404, 'Not Found.']);
  });
}

/** The case of a key without the scope. */
export function scopeCase(desk: ContactDesk, ask: () => PromiseLike<Answer>): void {
  test(`403: API key ini tidak punya scope 'manage_contacts'.`, async () => {
    const { key } = await desk.world.key(desk.account.workspace, ['send_email', 'manage_webhooks']);
    desk.account = { ...desk.account, key };
    expect(outcome(await ask())).toEqual([403, "API key ini tidak punya scope 'manage_contacts'."]);
  });
}

export const outcome = ({ status, body }: Answer): [number, string] => [status, body.message];
