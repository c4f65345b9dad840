import { beforeEach, describe, expect, test } from '@jest/globals';
import { aContact, aSuppression } from '../../../support/builders';
import { aJourney } from '../../../support/marketing';
import { bodyCases, faultCases, idCases, NOT_FOUND, openApiFixture, outcome, scopeCase } from '../fixture';

const fixture = openApiFixture();
const valid = { email: 'budi@contoh.test', consent: true };
const newJourney = (overrides = {}) => fixture.api.stores.journeys.create(aJourney(fixture.workspaceId, overrides));
const enroll = (id: string | number, body: string | object) => fixture.ask('post', `/journeys/${id}/enroll`, body);
const findBudi = () => fixture.api.stores.contacts.find(fixture.workspaceId, valid.email);
const suppress = (workspaceId: number | null) =>
  fixture.api.stores.suppressions.add(
    aSuppression({ workspaceId, addressHash: fixture.api.keyring.hashAddress(valid.email) }),
  );

describe('POST /journeys/{id}/enroll', () => {
  scopeCase(fixture, 'send_email', () => enroll(1, valid));
  idCases((id) => enroll(id, valid));

  describe('bodies', () => {
    let id = 0;
    beforeEach(async () => {
      ({ id } = await newJourney());
    });
    bodyCases((body) => enroll(id, body));
  });

  // spec: docs/contract.md#enroll-a-contact: POST /journeys/{id}/enroll: 201
  test('201: the contact enters the journey, and becomes a contact if it was none', async () => {
    const { id } = await newJourney();
    const { status, body } = await enroll(id, { email: ' Budi@Contoh.test ', name: ' Budi ', consent: true });
    expect([status, body]).toEqual([
      201,
      { journey_id: id, email: 'Budi@Contoh.test', enrolled: true, message: 'Kontak masuk ke journey ini.' },
    ]);
    expect(await findBudi()).toMatchObject({ email: valid.email, name: 'Budi', status: 'subscribed' });
  });

  // spec: docs/contract.md#enroll-a-contact: 200 when the contact already entered, never repeated
  test('200: the contact already entered this journey, whatever it is called', async () => {
    const { id } = await newJourney();
    await enroll(id, { ...valid, name: 'Budi' });
    const { status, body } = await enroll(id, { ...valid, name: 'Orang lain' });
    expect([status, body]).toEqual([
      200,
      { journey_id: id, email: valid.email, enrolled: false, message: 'Kontak ini sudah pernah masuk ke journey ini.' },
    ]);
    expect(await findBudi()).toMatchObject({ name: 'Budi' });
  });

  test('201 again in another journey, and by a form', async () => {
    for (const { id } of [await newJourney(), await newJourney()]) {
      expect((await enroll(id, 'email=budi%40contoh.test&consent=true')).status).toBe(201);
    }
  });

  // spec: docs/contract.md#enroll-a-contact: 200 when the contact already entered, never repeated
  test('201 to one of 100 callers at once, 200 to the others', async () => {
    const { id } = await newJourney();
    const answers = await Promise.all(Array.from({ length: 100 }, () => enroll(id, valid)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
  });

  // spec: docs/contract.md#order-of-enrollment-checks: `Journey ini tidak dipicu lewat API.`
  test('422: Journey ini tidak dipicu lewat API.', async () => {
    await suppress(null);
    for (const triggerType of ['form_subscribe', 'audience_join'] as const) {
      const { id } = await newJourney({ triggerType, status: 'draft' });
      const { status, body } = await enroll(id, valid);
      expect([status, body]).toEqual([
        422,
        { message: 'Journey ini tidak dipicu lewat API.', code: 'journey_not_api' },
      ]);
    }
    expect(await findBudi()).toBeNull();
  });

  // spec: docs/contract.md#order-of-enrollment-checks: `Journey ini belum aktif.`
  test.each(['draft', 'paused'] as const)('422: Journey ini belum aktif. (%s)', async (status) => {
    await suppress(null);
    const { id } = await newJourney({ status });
    expect(outcome(await enroll(id, valid))).toEqual([422, 'Journey ini belum aktif.']);
    expect(await findBudi()).toBeNull();
  });

  // spec: docs/contract.md#order-of-enrollment-checks: `Penerima ada di suppression list.` (no penalty)
  test.each(['workspace', 'global'])(
    '422: Penerima ada di suppression list. (%s) No penalty, no contact.',
    async (list) => {
      const { id } = await newJourney();
      await suppress(list === 'global' ? null : fixture.workspaceId);
      expect(outcome(await enroll(id, { ...valid, email: 'BUDI@contoh.test' }))).toEqual([
        422,
        'Penerima ada di suppression list.',
      ]);
      expect(await findBudi()).toBeNull();
      expect(await fixture.api.balance(fixture.account)).toBe(1_000);
      await fixture.api.stores.suppressions.remove(null, fixture.api.keyring.hashAddress(valid.email));
    },
  );

  // spec: docs/contract.md#order-of-enrollment-checks: `Kontak ini sudah berhenti berlangganan.`
  test.each(['unsubscribed', 'bounced', 'complained'] as const)(
    '422: Kontak ini sudah berhenti berlangganan. (%s)',
    async (status) => {
      const { id } = await newJourney();
      const contact = await fixture.api.stores.contacts.ensure(aContact(fixture.workspaceId, { email: valid.email }));
      await fixture.api.stores.contacts.raiseStatus(fixture.workspaceId, contact.id, status, contact.createdAt);
      expect(outcome(await enroll(id, valid))).toEqual([422, 'Kontak ini sudah berhenti berlangganan.']);
    },
  );

  // spec: docs/contract.md#order-of-enrollment-checks: enroll order: 404, fields, not API, not active, suppressed,
  //   unsubscribed
  test('404 before the fields: a journey of nobody, or of another account', async () => {
    const theirs = await fixture.ofAnother(({ workspace }) =>
      fixture.api.stores.journeys.create(aJourney(workspace.id)),
    );
    for (const body of [valid, {}]) expect(outcome(await enroll(theirs.id, body))).toEqual(NOT_FOUND);
    expect(await findBudi()).toBeNull();
  });

  // spec: docs/contract.md#order-of-enrollment-checks: enroll order: 404, fields, not API, not active, suppressed,
  //   unsubscribed
  test('422 of the fields before that of the journey', async () => {
    const { id } = await newJourney({ triggerType: 'form_subscribe' });
    expect(outcome(await enroll(id, { email: valid.email }))).toEqual([422, 'The consent field is required.']);
  });

  faultCases(
    [
      ['The email field is required.', { consent: true }],
      ['The email field is required.', { email: ' ', consent: true }],
      ['The email field must be a string.', { email: ['budi@contoh.test'], consent: true }],
      ['The email field must be a string.', { email: { __proto__: null }, consent: true }],
      ['The email field must be a valid email address.', { email: 'budi', consent: true }],
      ['The email field must be a valid email address.', { email: 'budi\u0000@contoh.test', consent: true }],
      [
        'The email field must not be greater than 255 characters.',
        { email: `${'a'.repeat(300)}@b.test`, consent: true },
      ],
      ['The name field must be a string.', { ...valid, name: 7 }],
      ['The name field must not be greater than 255 characters.', { ...valid, name: 'n'.repeat(256) }],
      ['The consent field is required.', { email: valid.email }],
      ['The consent field must be true.', { ...valid, consent: false }],
      ['The consent field must be true.', { ...valid, consent: 1 }],
      ['The consent field must be true.', 'email=budi%40contoh.test&consent=0'],
    ],
    async (body) => enroll((await newJourney()).id, body),
    async () => expect(await findBudi()).toBeNull(),
  );
});
