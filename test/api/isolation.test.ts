import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Installation } from '../../proof/crash/installation';
import { messageId } from '../support/builders';
import { ANY_BODY, ENDPOINTS, idsIn, pathOf } from '../support/endpoints';
import { describeOnEngines } from '../support/engines';
import { WorkspaceFixtures, type Kind } from '../support/fixtures';
import { TestApi, type Answer } from '../support/test-api';

/** An id in a request: of a record of the caller, or of the other workspace. */
type Ref = `${'our' | 'their'} ${Kind}`;

/** A request with at least one id of the other workspace. */
interface Attempt {
  path?: Record<string, Ref>;
  query?: Record<string, Ref>;
  body?: Record<string, Ref>;
  /** Fields that mean something else here than in other endpoints. */
  without?: readonly string[];
}

interface Reach {
  /** Every way to name a record of another workspace; none where the endpoint takes no ids. */
  attempts?: Attempt[];
  /** What the endpoint lists: our records, never theirs. */
  lists?: Kind;
  /** Ids of our own that the path of a list needs. */
  of?: Record<string, Ref>;
}

const byId = (kind: Kind): Reach => ({ attempts: [{ path: { id: `their ${kind}` } }] });

/** Where each endpoint takes ids. An endpoint without a line here fails the first test. */
const REACHES: Record<string, Reach> = {
  'GET /account': { lists: 'domain' },
  'GET /domains': { lists: 'domain' },
  'POST /messages': {
    attempts: [
      { body: { sending_domain_id: 'their domain' } },
      { body: { sending_domain_id: 'our domain', template_id: 'their template' }, without: ['subject', 'html'] },
    ],
  },
  // A message in it is judged as in POST /messages (test/api/endpoints/send-batch.test.ts).
  'POST /messages/batch': {},
  'GET /messages/{id}': byId('message'),
  'DELETE /messages/{id}': byId('message'),
  'GET /messages': {
    attempts: [{ query: { ids: 'their message' } }, { query: { to: 'their contact' } }],
    lists: 'message',
  },
  'GET /suppressions': { lists: 'suppression' },
  'POST /suppressions': {},
  'DELETE /suppressions/{email}': { attempts: [{ path: { email: 'their suppression' } }] },
  'GET /templates': { lists: 'template' },
  'POST /templates': {},
  'GET /templates/{id}': byId('template'),
  'PATCH /templates/{id}': byId('template'),
  'DELETE /templates/{id}': byId('template'),
  'GET /campaigns': { lists: 'campaign' },
  'GET /campaigns/{id}': byId('campaign'),
  'POST /campaigns/{id}/send': byId('campaign'),
  'POST /campaigns/{id}/pause': byId('liveCampaign'),
  'POST /campaigns/{id}/resume': byId('pausedCampaign'),
  'POST /campaigns/{id}/cancel': byId('liveCampaign'),
  'GET /journeys': { lists: 'journey' },
  'POST /journeys/{id}/enroll': byId('journey'),
  'POST /conversions': { attempts: [{ body: { message_id: 'their message' } }] },
  'GET /conversions': { lists: 'conversion' },
  'GET /conversions/{id}': byId('conversion'),
  'GET /contacts': { lists: 'contact' },
  'GET /contacts/{id}': byId('contact'),
  'GET /contacts/engagement': { attempts: [{ query: { audience_id: 'their audience' } }] },
  'POST /contacts': {},
  'PATCH /contacts/{id}': byId('contact'),
  'POST /contacts/{id}/unsubscribe': byId('contact'),
  'DELETE /contacts/{id}': byId('contact'),
  'GET /audiences': { lists: 'audience' },
  'GET /audiences/{id}': byId('audience'),
  'POST /audiences': {},
  'GET /audiences/{id}/contacts': { ...byId('audience'), lists: 'contact', of: { id: 'our audience' } },
  'POST /audiences/{id}/contacts': {
    attempts: [
      { path: { id: 'their audience' } },
      { path: { id: 'their audience' }, body: { contact_id: 'our contact' } },
      { path: { id: 'their audience' }, body: { contact_id: 'their contact' } },
      { path: { id: 'our audience' }, body: { contact_id: 'their contact' } },
    ],
  },
  'DELETE /audiences/{id}/contacts/{contact_id}': {
    attempts: [
      { path: { id: 'their audience', contact_id: 'their contact' } },
      { path: { id: 'their audience', contact_id: 'our contact' } },
      { path: { id: 'our audience', contact_id: 'their contact' } },
    ],
  },
  'GET /webhooks': { lists: 'webhook' },
  'POST /webhooks': {},
  'DELETE /webhooks/{id}': byId('webhook'),
  'GET /webhooks/{id}/deliveries': { ...byId('webhook'), lists: 'delivery', of: { id: 'our webhook' } },
  'POST /webhooks/{id}/deliveries/{delivery}/retry': {
    attempts: [
      { path: { id: 'their webhook', delivery: 'their delivery' } },
      { path: { id: 'their webhook', delivery: 'our delivery' } },
      { path: { id: 'our webhook', delivery: 'their delivery' } },
    ],
  },
  'POST /webhooks/{id}/test': byId('webhook'),
  'POST /webhooks/{id}/replay': { attempts: [{ path: { id: 'their webhook' }, without: ['to'] }] },
  'GET /events': { lists: 'event' },
};

const reachOf = (name: string): Reach => REACHES[name] ?? {};
const ATTEMPTS = ENDPOINTS.flatMap(([name, route]) =>
  (reachOf(name).attempts ?? []).map((attempt) => [name, describeAttempt(attempt), route, attempt] as const),
);
const LISTS = ENDPOINTS.flatMap(([name, route]) => {
  const { lists, of = {} } = reachOf(name);
  return lists ? [[name, lists, route, of] as const] : [];
});

function describeAttempt(attempt: Attempt): string {
  const { path = {}, query = {}, body = {} } = attempt;
  const parts = Object.entries({ path, query, body }).flatMap(([where, refs]) =>
    Object.entries(refs).map(([name, ref]) => `${ref} as ${name} in the ${where}`),
  );
  return parts.join(', ');
}

/** The kinds of records that the endpoints need. */
const KINDS = new Set<Kind>([
  ...ATTEMPTS.flatMap(([, , , attempt]) => refsOf(attempt).map(kindOf)),
  ...LISTS.flatMap(([, lists, , of]) => [lists, ...Object.values(of).map(kindOf)]),
]);

function refsOf({ path = {}, query = {}, body = {} }: Attempt): Ref[] {
  return [path, query, body].flatMap((refs) => Object.values(refs));
}

function kindOf(ref: Ref): Kind {
  return ref.split(' ')[1] as Kind;
}

const isOurs = (ref: Ref): boolean => ref.startsWith('our');

/** The links of a page repeat the ids that were asked for. */
const withoutFilters = (body: object): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/\b(to)=\w+/g, '$1=…')) as unknown;

/** An unknown id of this kind. */
function unknownId(kind: Kind): string {
  if (kind === 'suppression') return 'nobody@contoh.test';
  if (kind === 'delivery') return `whd_${'0'.repeat(32)}`;
  return kind === 'message' || kind === 'conversion' ? messageId() : '999999999';
}

describeOnEngines('No workspace reads or changes what another one has', (install) => {
  let installation: Installation;
  let api: TestApi;
  let ours: WorkspaceFixtures;
  let theirs: WorkspaceFixtures;
  /** What the owner reads of its records. */
  let before: unknown;

  beforeAll(async () => {
    installation = install();
    api = await TestApi.open({ engine: (clock) => installation.open(clock) });
    [ours, theirs] = [new WorkspaceFixtures(api, await api.account()), new WorkspaceFixtures(api, await api.account())];
    for (const kind of KINDS) await Promise.all([ours.id(kind), theirs.id(kind)]);
    before = await readAll(theirs);
  });
  afterAll(async () => {
    await api.close();
    await installation.remove();
  });

  /** Sends the request of an attempt; `pick` returns the id for a reference. */
  const ask = async (
    { method, path }: { method: string; path: string },
    { path: inPath = {}, query = {}, body = {}, without = [] }: Attempt,
    { account }: WorkspaceFixtures,
    pick: (ref: Ref) => Promise<string>,
  ): Promise<Answer> => {
    const picked = async (refs: Record<string, Ref>): Promise<Record<string, string>> =>
      Object.fromEntries(
        await Promise.all(Object.entries(refs).map(async ([name, ref]) => [name, await pick(ref)] as const)),
      );
    const request = api.ask(
      method.toLowerCase() as Parameters<TestApi['ask']>[0],
      pathOf({ path }, await picked(inPath)),
      account.key,
    );
    if (method === 'GET') return request.query(await picked(query));
    const { email, ...others } = ANY_BODY;
    const fields = Object.entries(await picked(body)).map(
      ([name, id]) => [name, /^\d+$/.test(id) ? Number(id) : id] as const,
    );
    // An address could replace some ids.
    const base = { ...others, ...(fields.length === 0 && { email }), sending_domain_id: account.domain.id };
    const left = Object.entries({ ...base, ...Object.fromEntries(fields) }).filter(([name]) => !without.includes(name));
    return request.send(Object.fromEntries(left));
  };

  /** Everything that a workspace can read of its own. */
  const readAll = async (fixtures: WorkspaceFixtures): Promise<unknown> => {
    const answers: unknown[] = [];
    for (const [name, route] of ENDPOINTS.filter(([, { method }]) => method === 'GET')) {
      const { attempts = [], of } = reachOf(name);
      const plain = idsIn(route.path).length === 0 ? [{}] : [];
      for (const attempt of [...attempts, ...(of ? [{ path: of }] : []), ...plain]) {
        const { status, body } = await ask(route, attempt, fixtures, (ref) => fixtures.id(kindOf(ref)));
        answers.push([name, describeAttempt(attempt), status, body]);
      }
    }
    return answers;
  };

  test('every endpoint says where it takes ids', () => {
    expect(ENDPOINTS.map(([name]) => name).filter((name) => !REACHES[name])).toEqual([]);
    for (const [name, { path }] of ENDPOINTS) {
      const named = (reachOf(name).attempts ?? []).map((attempt) => Object.keys(attempt.path ?? {}).sort());
      if (idsIn(path).length > 0) expect(named).toContainEqual(idsIn(path).sort());
    }
  });

  // spec: docs/contract.md#error-statuses: 404 owned by another account, on every endpoint and every id in path, query
  //   and body
  test.each(ATTEMPTS)('%s with %s is answered as for an id that nobody has', async (_, __, route, attempt) => {
    const theirAnswer = await ask(route, attempt, ours, (ref) => (isOurs(ref) ? ours : theirs).id(kindOf(ref)));
    const unknownAnswer = await ask(route, attempt, ours, (ref) =>
      isOurs(ref) ? ours.id(kindOf(ref)) : Promise.resolve(unknownId(kindOf(ref))),
    );
    expect([theirAnswer.status, withoutFilters(theirAnswer.body)]).toEqual([
      unknownAnswer.status,
      withoutFilters(unknownAnswer.body),
    ]);
    const inPath = Object.values(attempt.path ?? {}).some((ref) => !isOurs(ref));
    if (inPath) expect([theirAnswer.status, theirAnswer.body.code]).toEqual([404, 'not_found']);
    expect(await readAll(theirs)).toEqual(before);
  });

  // spec: docs/contract.md#error-statuses: 404 owned by another account, on every endpoint and every id in path, query
  //   and body
  test.each(LISTS)('%s lists every %s of ours and none of theirs', async (_, kind, route, of) => {
    const { text } = await ask(route, { path: of }, ours, (ref) => ours.id(kindOf(ref)));
    const ids = [...text.matchAll(/"(?:id|message_id|email)":"?([\w@.-]+)/g)].map((match) => match[1]);
    expect(ids).toContain(await ours.id(kind));
    expect(ids).not.toContain(await theirs.id(kind));
  });

  test.each(ATTEMPTS)('%s with %s is done for the owner', async (_, __, route, attempt) => {
    const fresh = new WorkspaceFixtures(api, await api.account());
    const { status } = await ask(route, attempt, fresh, (ref) => fresh.id(kindOf(ref)));
    expect([200, 201, 202]).toContain(status);
  });
});
