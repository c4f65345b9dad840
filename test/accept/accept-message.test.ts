import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { acceptMessage } from '../../accept/accept-message';
import type { AcceptRequest } from '../../accept/accept-request';
import type { AcceptDeps } from '../../accept/accept-deps';
import { Refusal } from '../../accept/refusal';
import { messageId } from '../support/builders';
import { aMail, TestApi, type Account } from '../support/test-api';

let world: TestApi;
let account: Account;
let deps: AcceptDeps;
beforeAll(async () => {
  world = await TestApi.open();
  account = await world.account();
  const { stores, log, keyring, clock } = world;
  deps = { stores, log, keyring, clock, newId: () => messageId(clock.now()) };
});
afterAll(() => world.close());

const request = (change: Partial<AcceptRequest> = {}): AcceptRequest => ({
  workspace: account.workspace,
  channel: 'smtp',
  fields: aMail(account.domain),
  source: 'json',
  idempotencyKey: null,
  ...change,
});

describe('acceptMessage, the command both doors share', () => {
  test('names the channel the message came by', async () => {
    const result = await acceptMessage(deps, request());
    if (result instanceof Refusal) throw new Error(result.message);
    expect(result).toEqual({ kind: 'accepted', id: expect.any(String), status: 'queued' });
    expect((await deps.stores.messages.get(result.id))?.channel).toBe('smtp');
  });

  test('a refusal is a value with a stable reason', async () => {
    const result = await acceptMessage(deps, request({ fields: aMail(account.domain, { to: 'malformed' }) }));
    expect(result).toBeInstanceOf(Refusal);
    expect(result).toMatchObject({ reason: 'recipient_malformed', errors: { to: [expect.any(String)] } });
  });

  test('the loser of a race for one idempotency key gets the winner’s message', async () => {
    const results = await Promise.all(
      [1, 2].map(() => acceptMessage(deps, request({ idempotencyKey: 'same-key-twice' }))),
    );
    expect(results.map((result) => 'kind' in result && result.kind).sort()).toEqual(['accepted', 'duplicate']);
    expect(new Set(results.map((result) => 'id' in result && result.id)).size).toBe(1);
  });

  test('a penalty that cannot be made durable is no refusal but an error', async () => {
    const broken = { ...deps, log: { publish: () => Promise.reject(new Error('log is gone')) } };
    const fields = aMail(account.domain, { to: 'malformed' });
    await expect(acceptMessage(broken, request({ fields }))).rejects.toThrow('log is gone');
  });

  test('a store that fails while accepting is an error, never an acceptance', async () => {
    const accept = () => Promise.reject(new Error('disk full'));
    const broken = { ...deps, stores: { ...deps.stores, messages: { ...deps.stores.messages, accept } } };
    await expect(acceptMessage(broken, request())).rejects.toThrow('disk full');
  });
});
