import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AcceptDeps } from '../../../../operations/messages/accept/accept-deps';
import { acceptMessages } from '../../../../operations/messages/accept/accept-messages';
import { Refusal } from '../../../../operations/messages/accept/refusal';
import type { Acceptance } from '../../../../stores/ports/message-store';
import type { OutgoingRecord } from '../../../../streams/records';
import { aContact, aSuppression } from '../../../support/builders';
import { aMail, TestApi } from '../../../support/test-api';
import { acceptDeps, prepared, submitted } from './support';

const api = TestApi.ofFile();
const account = api.accountOfCase();
let deps: ReturnType<typeof acceptDeps>;
beforeAll(async () => {
  deps = acceptDeps(api);
});

const mailTo = (to: string, more: object = {}) =>
  submitted(account, { fields: aMail(account.domain, { to, ...more }) });
const summary = (result: Awaited<ReturnType<typeof acceptMessages>>[number]): string =>
  result instanceof Refusal ? result.reason : result.kind;

/** The deps with what is asked of the store and the log. */
function watched(): { deps: AcceptDeps; commits: (readonly Acceptance[])[]; published: (readonly OutgoingRecord[])[] } {
  const commits: (readonly Acceptance[])[] = [];
  const published: (readonly OutgoingRecord[])[] = [];
  const { domains, messages, templates } = deps.stores;
  const accept: AcceptDeps['stores']['messages']['accept'] = (acceptances) => {
    commits.push(acceptances);
    return messages.accept(acceptances);
  };
  const publish: AcceptDeps['log']['publish'] = (records) => {
    published.push(records);
    return deps.log.publish(records);
  };
  return {
    deps: { ...deps, stores: { domains, messages: { accept }, templates }, log: { publish } },
    commits,
    published,
  };
}

describe('acceptMessages', () => {
  test('judges each alone and answers in order, with one commit and one publication of the penalties', async () => {
    const { workspace } = account;
    const blocked = aContact(workspace.id);
    await api.stores.suppressions.add(aSuppression({ workspaceId: workspace.id, addressHash: blocked.emailHash }));
    const leaver = await api.stores.contacts.ensure(aContact(workspace.id));
    await api.stores.contacts.raiseStatus(workspace.id, leaver.id, 'unsubscribed', api.clock.now());
    const { deps: own, commits, published } = watched();
    const results = await acceptMessages(own, [
      mailTo('satu@contoh.test'),
      mailTo('malformed'),
      mailTo(blocked.email),
      mailTo('dua@contoh.test', { subject: '' }),
      mailTo('tiga@contoh.test', { sending_domain_id: 999_999 }),
      mailTo(leaver.email),
      mailTo('empat@contoh.test', { from_email: 'cs@lain.test' }),
      prepared(account, { contact: leaver }),
      mailTo('lima@contoh.test'),
    ]);
    expect(results.map(summary)).toEqual([
      'accepted',
      'malformed_address',
      'suppressed',
      'invalid_fields',
      'unknown_domain',
      'unsubscribed',
      'foreign_from_email',
      'accepted',
      'accepted',
    ]);
    expect(commits.map(({ length }) => length)).toEqual([5]);
    expect(published.map((records) => records.map(({ value }) => ('gate' in value ? value.gate.key : null)))).toEqual([
      [
        `${deps.keyring.hashAddress('malformed')}:malformed`,
        `${blocked.emailHash}:suppressed`,
        `${leaver.emailHash}:unsubscribed`,
      ],
    ]);
    const { total } = await deps.stores.messages.list(workspace.id, { offset: 0, limit: 1 });
    expect(total).toBe(3);
  });

  test('two with one idempotency key: the second is a duplicate of the first', async () => {
    const key = { idempotencyKey: 'batch-key' };
    const [first, second] = await acceptMessages(deps, [submitted(account, key), submitted(account, key)]);
    expect(first).toMatchObject({ kind: 'accepted' });
    expect(second).toEqual({ ...first, kind: 'duplicate' });
  });

  test('makes one contact of an address that is written to twice', async () => {
    const results = await acceptMessages(deps, [mailTo('Sama@contoh.test'), mailTo('sama@contoh.test')]);
    const ids = results.map((result) => ('id' in result ? result.id : ''));
    const stored = await deps.stores.messages.getMany(account.workspace.id, ids);
    expect(stored.map(({ toText }) => toText)).toEqual(['Sama@contoh.test', 'sama@contoh.test']);
    expect(new Set(stored.map(({ contactId }) => contactId)).size).toBe(1);
  });

  test('asks no store when every message is refused by its fields, and none for an empty list', async () => {
    const { deps: own, commits } = watched();
    expect((await acceptMessages(own, [mailTo('malformed')])).map(summary)).toEqual(['malformed_address']);
    expect(await acceptMessages(own, [])).toEqual([]);
    expect(commits).toEqual([]);
  });

  test('rejects as a whole when the store does', async () => {
    const accept = () => Promise.reject(new Error('disk full'));
    const broken = { ...deps, stores: { ...deps.stores, messages: { accept } } };
    await expect(acceptMessages(broken, [mailTo('malformed'), submitted(account)])).rejects.toThrow('disk full');
  });
});
