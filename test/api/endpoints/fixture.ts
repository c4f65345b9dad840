import { beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '../../../domain/settings/workspace';
import { TestApi, type Account, type Answer, type PendingRequest } from '../../support/test-api';

type Method = 'get' | 'post' | 'patch' | 'delete';

/** Texts in a path that are not integer ids. */
export const NO_IDS = [
  ...['0', '-1', '+1', '1.5', '1e3', '0x1', '01', '1%20', '%201', 'abc', 'null', '__proto__', '%00', '1%00', '1%2F1'],
  ...['9007199254740993', '9'.repeat(400), '%F0%9F%8C%B8', '%D9%A1', '1,2'],
];
/** A well-formed id that no record has. */
export const UNKNOWN_ID = 9_007_199_254_740_991;

/** The API for a test file, with a new account for each case. */
export class ApiFixture {
  readonly api = TestApi.ofFile();
  account!: Account;

  get workspaceId(): number {
    return this.account.workspace.id;
  }

  /** Sends a request below the prefix, as the account. */
  ask(method: Method, path: string, body?: string | object): PendingRequest {
    const asking = this.api.ask(method, `/v1${path}`, this.account.key);
    return body === undefined ? asking : asking.send(body);
  }

  /** Creates a record of another account. */
  async ofAnother<T>(make: (account: Account) => Promise<T>): Promise<T> {
    return make(await this.api.account());
  }
}

/** Opens the API for a test file. */
export function openApiFixture(): ApiFixture {
  const fixture = new ApiFixture();
  beforeEach(async () => {
    fixture.account = await fixture.api.account();
  });
  return fixture;
}

export const outcome = ({ status, body }: Answer): [number, string] => [status, body.message];
export const NOT_FOUND: [number, string] = [404, 'Not Found.'];

/** The case of a key that has every scope except the required one. */
export function scopeCase(fixture: ApiFixture, needed: Scope, ask: () => PromiseLike<Answer>): void {
  // spec: docs/contract.md#scopes: scopes of these endpoints
  test(`403: API key ini tidak punya scope '${needed}'.`, async () => {
    const others = (['send_email', 'manage_contacts', 'manage_webhooks'] as const).filter((scope) => scope !== needed);
    fixture.account = { ...fixture.account, ...(await fixture.api.key(fixture.account.workspace, [...others])) };
    expect(outcome(await ask())).toEqual([403, `API key ini tidak punya scope '${needed}'.`]);
  });
}

/** The cases of ids in a path that are malformed or unknown. */
export function idCases(ask: (id: string | number) => PromiseLike<Answer>): void {
  // spec: docs/contract.md#error-statuses: malformed id 404
  test.each(NO_IDS)('404: the malformed id %s', async (id) => {
    expect(outcome(await ask(id))).toEqual(NOT_FOUND);
  });

  // spec: docs/contract.md#send-a-campaign: 404: unknown or malformed id
  test('404: an id that nobody has', async () => {
    expect(outcome(await ask(UNKNOWN_ID))).toEqual(NOT_FOUND);
  });
}

/** The cases of a body without fields. */
export function bodyCases(ask: (body: string) => PendingRequest): void {
  test('400: a body that is no JSON, or nested too deeply', async () => {
    expect((await ask('{"email":').type('json')).status).toBe(400);
    expect((await ask(`{"a":${'['.repeat(50_000)}`).type('json')).status).toBe(400);
  });

  test('415: another content type', async () => {
    expect((await ask('budi@contoh.test').type('text/plain')).status).toBe(415);
  });
}

/**
 * The cases of invalid fields, each with one sentence that names its field; `unchanged` checks that nothing was
 * written.
 */
export function faultCases(
  faults: readonly (readonly [sentence: string, body: object | string])[],
  ask: (body: object | string) => PromiseLike<Answer>,
  unchanged: () => Promise<void>,
): void {
  // spec: docs/contract.md#enroll-a-contact: enroll: email, name, consent
  // spec: docs/contract.md#report-a-conversion: POST /conversions: amount 0 to 10,000,000,000; order_id max 191
  test.each(faults)('422: %s %#', async (sentence, body) => {
    const answer = await ask(body);
    const [, field = ''] = sentence.split(' ');
    expect([answer.status, answer.body.message, answer.body.errors]).toEqual([422, sentence, { [field]: [sentence] }]);
    await unchanged();
  });
}
