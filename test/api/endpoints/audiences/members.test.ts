import { describe, expect, test } from '@jest/globals';
import { aContact } from '../../../support/builders';
import { addMembers, anAudience } from '../../../support/marketing';
import {
  bodyCases,
  faultCases,
  idCases,
  NO_IDS,
  UNKNOWN_ID,
  NOT_FOUND,
  openApiFixture,
  outcome,
  scopeCase,
} from '../fixture';

const fixture = openApiFixture();
const newAudience = () => fixture.api.stores.audiences.create(anAudience(fixture.workspaceId));
const newContact = (overrides = {}) => fixture.api.stores.contacts.ensure(aContact(fixture.workspaceId, overrides));
const add = (id: string | number, body: string | object) => fixture.ask('post', `/audiences/${id}/contacts`, body);
const list = async (id: string | number, query = '') => fixture.ask('get', `/audiences/${id}/contacts${query}`);
const totalOf = async (id: number) => (await list(id)).body.total;
const theirAudience = () =>
  fixture.ofAnother(({ workspace }) => fixture.api.stores.audiences.create(anAudience(workspace.id)));
const valid = { email: 'budi@contoh.test', consent: true };

describe('GET /audiences/{id}/contacts', () => {
  scopeCase(fixture, 'manage_contacts', () => list(1));
  idCases(list);

  test('404: an audience owned by another account', async () => {
    expect(outcome(await list((await theirAudience()).id))).toEqual(NOT_FOUND);
  });

  // spec: docs/contract.md#members-of-an-audience: GET /audiences/{id}/contacts
  test('200: the pagination envelope of contacts, 50 per page, ordered by id', async () => {
    const audience = await newAudience();
    const members = await addMembers(fixture.api.stores, audience, 51);
    const ids = members.map(({ id }) => id).sort((a, b) => a - b);
    const url = `https://mail.example.com/v1/audiences/${audience.id}/contacts`;
    const { status, body } = await list(audience.id);
    expect(status).toBe(200);
    expect((body.data as unknown as { id: number }[]).map(({ id }) => id)).toEqual(ids.slice(0, 50));
    expect(body).toMatchObject({
      current_page: 1,
      first_page_url: `${url}?page=1`,
      from: 1,
      last_page: 2,
      last_page_url: `${url}?page=2`,
      next_page_url: `${url}?page=2`,
      path: url,
      per_page: 50,
      prev_page_url: null,
      to: 50,
      total: 51,
    });
    const second = (await list(audience.id, '?page=2')).body;
    expect(second).toMatchObject({ from: 51, to: 51, next_page_url: null, prev_page_url: `${url}?page=1` });
    expect(second.data).toEqual([
      {
        id: ids[50],
        workspace_id: fixture.workspaceId,
        email: members.find(({ id }) => id === ids[50])?.email,
        name: null,
        status: 'subscribed',
        subscribed_at: '2026-01-05T03:00:00.000000Z',
        unsubscribed_at: null,
        created_at: '2026-01-05T03:00:00.000000Z',
        updated_at: '2026-01-05T03:00:00.000000Z',
        membership: 'confirmed',
      },
    ]);
  });

  test.each(['3', '9007199254740991', '9'.repeat(400)])(
    '200: the page %s is beyond the last, so empty',
    async (page) => {
      const audience = await newAudience();
      await addMembers(fixture.api.stores, audience, 1);
      expect((await list(audience.id, `?page=${page}`)).body).toMatchObject({
        data: [],
        from: null,
        to: null,
        total: 1,
      });
    },
  );

  test.each([
    ['page=0', 'The page field must be at least 1.'],
    ['page=-1', 'The page field must be at least 1.'],
    ['page=two', 'The page field must be an integer.'],
    ['page=1e3', 'The page field must be an integer.'],
    ['page[]=2', 'The page field must be an integer.'],
  ])('422: %s', async (query, sentence) => {
    const { status, body } = await list((await newAudience()).id, `?${query}`);
    expect([status, body.message, body.errors]).toEqual([422, sentence, { page: [sentence] }]);
  });
});

describe('POST /audiences/{id}/contacts', () => {
  scopeCase(fixture, 'manage_contacts', () => add(1, valid));
  idCases((id) => add(id, valid));
  bodyCases((body) => add(1, body));

  // spec: docs/contract.md#members-of-an-audience: POST /audiences/{id}/contacts
  test('201: a contact by its id, with the contact; a second time 200', async () => {
    const { id } = await newAudience();
    const contact = await newContact({ name: 'Sari' });
    const first = await add(id, { contact_id: contact.id });
    expect([first.status, first.body]).toMatchObject([201, { id: contact.id, email: contact.email, name: 'Sari' }]);
    const second = await add(id, { contact_id: contact.id });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await fixture.ask('get', `/audiences/${id}`)).body).toMatchObject({ contacts_count: 1 });
  });

  // spec: docs/contract.md#members-of-an-audience: POST /audiences/{id}/contacts
  test('201: an email becomes a contact; a second time 200, neither name nor status changed', async () => {
    const { id } = await newAudience();
    const first = await add(id, { email: ' Budi@Contoh.TEST ', name: ' Budi ', consent: true });
    expect([first.status, first.body]).toMatchObject([
      201,
      { workspace_id: fixture.workspaceId, email: 'budi@contoh.test', name: 'Budi', status: 'subscribed' },
    ]);
    const second = await add(id, { ...valid, name: 'Orang lain' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await totalOf(id)).toBe(1);
  });

  test('201: an email with a quoted local part, the same contact in every spelling', async () => {
    const { id } = await newAudience();
    const first = await add(id, { email: '"Budi S"@contoh.test', consent: true });
    const again = await add(id, { email: '"budi\\ s"@contoh.test', consent: true });
    expect([first.status, first.body.email, again.status]).toEqual([201, '"budi s"@contoh.test', 200]);
    expect(again.body).toEqual(first.body);
  });

  test('201: an email that is a contact already answers the old one, unchanged', async () => {
    const { id } = await newAudience();
    const contact = await newContact({ email: valid.email, name: 'Budi' });
    await fixture.api.stores.contacts.raiseStatus(fixture.workspaceId, contact.id, 'unsubscribed', contact.createdAt);
    const { status, body } = await add(id, { ...valid, name: 'Orang lain' });
    expect([status, body]).toMatchObject([201, { id: contact.id, name: 'Budi', status: 'unsubscribed' }]);
  });

  test('201 to one of 100 callers at once, 200 to the others, one contact', async () => {
    const { id } = await newAudience();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => add(id, { ...valid, name: `Nama ${n}` })));
    const statuses = answers.map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 200).length,
    ]).toEqual([1, 99]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await fixture.ask('get', `/audiences/${id}`)).body).toMatchObject({ contacts_count: 1 });
  });

  test('201: a form, by email and by id', async () => {
    const { id } = await newAudience();
    const contact = await newContact();
    expect((await add(id, 'email=budi%40contoh.test&name=007&consent=1')).body).toMatchObject({ name: '007' });
    expect((await add(id, `contact_id=${contact.id}`)).body).toMatchObject({ id: contact.id });
  });

  test('201: beside a contact_id, name and consent are not looked at', async () => {
    const { id } = await newAudience();
    const contact = await newContact({ name: 'Sari' });
    const { status, body } = await add(id, { contact_id: contact.id, name: ['x'], consent: false });
    expect([status, body]).toMatchObject([201, { name: 'Sari' }]);
  });

  test('404: an audience owned by another account, and no contact is made', async () => {
    const theirs = await theirAudience();
    expect(outcome(await add(theirs.id, valid))).toEqual(NOT_FOUND);
    expect(await fixture.api.stores.contacts.find(fixture.workspaceId, valid.email)).toBeNull();
    expect(await fixture.api.stores.audiences.get(theirs.workspaceId, theirs.id)).toEqual(theirs);
  });

  // spec: docs/contract.md#members-of-an-audience: POST /audiences/{id}/contacts
  test('404: a contact_id of another account is as unknown as one that nobody has', async () => {
    const { id } = await newAudience();
    const theirs = await fixture.ofAnother(({ workspace }) =>
      fixture.api.stores.contacts.ensure(aContact(workspace.id)),
    );
    expect(outcome(await add(id, { contact_id: theirs.id }))).toEqual(NOT_FOUND);
    expect(outcome(await add(id, { contact_id: UNKNOWN_ID }))).toEqual(NOT_FOUND);
    expect(await totalOf(id)).toBe(0);
  });

  describe('faults', () => {
    let audience: { id: number };
    faultCases(
      [
        ['The email field is required when contact_id is not given.', { consent: true }],
        ['The email field is required when contact_id is not given.', { email: '  ', contact_id: null, consent: true }],
        ['The email field must not be given together with contact_id.', { ...valid, contact_id: 1 }],
        ['The email field must not be given together with contact_id.', `contact_id=1&email=budi%40contoh.test`],
        ['The email field must be a valid email address.', { email: 'budi', consent: true }],
        ['The email field must be a string.', { email: ['budi@contoh.test'], consent: true }],
        [
          'The email field must not be greater than 255 characters.',
          { email: `${'a'.repeat(300)}@b.test`, consent: true },
        ],
        ['The name field must not be greater than 255 characters.', { ...valid, name: 'n'.repeat(256) }],
        ['The consent field is required.', { email: valid.email }],
        ['The consent field must be true.', { ...valid, consent: false }],
        ['The consent field must be true.', { ...valid, consent: 'true' }],
        ['The contact_id field must be at least 1.', { contact_id: 0 }],
        ['The contact_id field must be at least 1.', { contact_id: -1 }],
        ['The contact_id field must be an integer.', { contact_id: '1' }],
        ['The contact_id field must be an integer.', { contact_id: 1.5 }],
        ['The contact_id field must be an integer.', { contact_id: [1] }],
        ['The contact_id field must be an integer.', { contact_id: true }],
        ['The contact_id field must be an integer.', 'contact_id=1e3'],
        ['The contact_id field must be an integer.', 'contact_id=0x1'],
      ],
      async (body) => {
        audience = await newAudience();
        return add(audience.id, body);
      },
      async () => expect(await totalOf(audience.id)).toBe(0),
    );

    test.each(['9007199254740993', '1e400', '-1e400'])('422: the contact_id %s', async (number) => {
      const { id } = await newAudience();
      const sentence = 'The contact_id field must be an integer.';
      expect(outcome(await add(id, `{"contact_id":${number}}`).type('json'))).toEqual([422, sentence]);
    });

    test('422: nothing given, and the message counts the faults', async () => {
      const { body } = await add((await newAudience()).id, {});
      expect(body.message).toBe('The email field is required when contact_id is not given. (and 1 more error)');
      expect(Object.keys(body.errors)).toEqual(['email', 'consent']);
    });

    test('422 comes before the 404 of an unknown audience', async () => {
      expect((await add(UNKNOWN_ID, {})).status).toBe(422);
    });
  });
});

describe('DELETE /audiences/{id}/contacts/{contact_id}', () => {
  const remove = (id: string | number, contactId: string | number) =>
    fixture.ask('delete', `/audiences/${id}/contacts/${contactId}`);
  scopeCase(fixture, 'manage_contacts', () => remove(1, 1));

  test.each(NO_IDS)('404: the malformed id %s, of the audience or of the contact', async (id) => {
    const audience = await newAudience();
    const contact = await newContact();
    expect(outcome(await remove(id, contact.id))).toEqual(NOT_FOUND);
    expect(outcome(await remove(audience.id, id))).toEqual(NOT_FOUND);
  });

  // spec: docs/contract.md#members-of-an-audience: DELETE /audiences/{id}/contacts/{contact_id}
  test('200: {deleted: true}; the contact stays; a second time 404', async () => {
    const audience = await newAudience();
    const [member, other] = await addMembers(fixture.api.stores, audience, 2);
    expect(await remove(audience.id, member!.id)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(outcome(await remove(audience.id, member!.id))).toEqual(NOT_FOUND);
    expect(await fixture.api.stores.contacts.get(fixture.workspaceId, member!.id)).toEqual(member);
    const { body } = await list(audience.id);
    expect(body).toMatchObject({ total: 1, data: [{ id: other!.id }] });
    expect((await fixture.ask('get', `/audiences/${audience.id}`)).body).toMatchObject({ contacts_count: 1 });
  });

  test('200 to one of 30 callers at once', async () => {
    const audience = await newAudience();
    const [member] = await addMembers(fixture.api.stores, audience, 3);
    const answers = await Promise.all(Array.from({ length: 30 }, () => remove(audience.id, member!.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await totalOf(audience.id)).toBe(2);
  });

  // spec: docs/contract.md#members-of-an-audience: DELETE /audiences/{id}/contacts/{contact_id}
  test('404: a contact that is no member, of the account, of another or of nobody', async () => {
    const audience = await newAudience();
    const theirs = await fixture.ofAnother(({ workspace }) =>
      fixture.api.stores.contacts.ensure(aContact(workspace.id)),
    );
    for (const { id } of [await newContact(), theirs, { id: UNKNOWN_ID }]) {
      expect(outcome(await remove(audience.id, id))).toEqual(NOT_FOUND);
    }
  });

  test('404: a member of an audience of another account, who stays one', async () => {
    const theirs = await theirAudience();
    const [member] = await addMembers(fixture.api.stores, theirs, 1);
    expect(outcome(await remove(theirs.id, member!.id))).toEqual(NOT_FOUND);
    expect(outcome(await remove(UNKNOWN_ID, member!.id))).toEqual(NOT_FOUND);
    expect(await fixture.api.stores.audiences.get(theirs.workspaceId, theirs.id)).toMatchObject({ contactsCount: 1 });
  });
});
