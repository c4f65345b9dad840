import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { texts } from '../../../../domain/texts';
import { MINUTE } from '../../../../lib/clock';
import { aContact, aSuppression } from '../../../support/builders';
import { describeOnEngines } from '../../../support/engines';
import { codeOf, TestRelay, textOf, transactionOf, type RelayAccount } from './fixture';

describeOnEngines('The recipients of the relay', (install) => {
  let relay: TestRelay;
  beforeAll(async () => {
    relay = await TestRelay.open(install());
  });
  afterAll(() => relay.close());

  const recipient = (account: RelayAccount, address: string) => relay.policy.recipient(transactionOf(account), address);
  const suppress = ({ workspace }: RelayAccount, email: string) =>
    relay.api.stores.suppressions.add(
      aSuppression({ workspaceId: workspace.id, addressHash: relay.api.keyring.hashAddress(email) }),
    );
  async function unsubscribe({ workspace }: RelayAccount, email: string): Promise<void> {
    const { contacts } = relay.api.stores;
    const { id } = await contacts.ensure(aContact(workspace.id, { email }));
    await contacts.raiseStatus(workspace.id, id, 'unsubscribed', relay.api.clock.now());
  }

  test('are taken without a penalty, and make no contact yet', async () => {
    const account = await relay.account();
    expect(await recipient(account, 'Siti@Pelanggan.test')).toBe(null);
    expect(await recipient(account, 'josé@contoh.test')).toBe(null);
    expect(await relay.api.stores.contacts.find(account.workspace.id, 'siti@pelanggan.test')).toBe(null);
    expect(await relay.penalties(account)).toBe(0);
  });

  // spec: docs/contract.md#relay-replies: 553: malformed
  test('553 5.1.3: malformed, with a penalty once per address in 24 h, which the API shares', async () => {
    const account = await relay.account();
    for (const address of ['siti', 'Siti', 'siti@', '', 'a b@c.test', `${'a'.repeat(250)}@contoh.test`]) {
      expect([address, codeOf(await recipient(account, address))]).toEqual([address, '553 5.1.3']);
    }
    expect(await relay.penalties(account)).toBe(5);
    await relay.api.send(account, { to: 'SITI' });
    await recipient(account, 'siti');
    expect(await relay.penalties(account)).toBe(5);
  });

  // spec: docs/contract.md#relay-replies: 550: suppressed or unsubscribed
  test('550 5.7.1: suppressed or unsubscribed, with the text of the contract and one penalty each', async () => {
    const account = await relay.account();
    await suppress(account, 'blokir@contoh.test');
    await unsubscribe(account, 'pergi@contoh.test');
    await suppress(account, 'keduanya@contoh.test');
    await unsubscribe(account, 'keduanya@contoh.test');
    const answers = await Promise.all(
      ['Blokir@Contoh.test', 'pergi@contoh.test', 'keduanya@contoh.test', 'blokir@contoh.test'].map((address) =>
        recipient(account, address),
      ),
    );
    expect(answers.map((answer) => [codeOf(answer), textOf(answer)])).toEqual([
      ['550 5.7.1', texts.suppressed],
      ['550 5.7.1', texts.recipientUnsubscribed],
      ['550 5.7.1', texts.suppressed],
      ['550 5.7.1', texts.suppressed],
    ]);
    expect(await relay.penalties(account)).toBe(3);
  });

  // spec: docs/contract.md#transactional-mail: by the relay
  test('of a transactional domain may have unsubscribed, by the domain of MAIL FROM; nothing else changes', async () => {
    const account = await relay.account();
    await unsubscribe(account, 'pergi@contoh.test');
    await unsubscribe(account, 'blokir@contoh.test');
    await suppress(account, 'blokir@contoh.test');
    await relay.api.stores.domains.setMail(account.domain.id, { category: 'transactional', trackClicks: false });
    expect(await recipient(account, 'pergi@contoh.test')).toBe(null);
    expect(await relay.penalties(account)).toBe(0);
    expect(textOf(await recipient(account, 'blokir@contoh.test'))).toBe(texts.suppressed);
    const reply = await relay.send(account, ['pergi@contoh.test']);
    expect(codeOf(reply)).toBe('250 2.0.0');
    const [message] = await relay.messages(account);
    expect(message).toMatchObject({ channel: 'smtp', category: 'transactional' });
  });

  // spec: docs/contract.md#relay-replies: 550: no coins
  test('550 5.7.1: coins exhausted, before suppression, without a penalty, after malformed', async () => {
    const account = await relay.account({ coins: 0 });
    await suppress(account, 'blokir@contoh.test');
    const answer = await recipient(account, 'blokir@contoh.test');
    expect(codeOf(answer)).toBe('550 5.7.1');
    expect(textOf(answer)).toBe('Saldo koin habis - top-up koin untuk lanjut mengirim.');
    expect(await relay.penalties(account)).toBe(0);
    expect(codeOf(await recipient(account, 'tanpa-at'))).toBe('553 5.1.3');
  });

  // spec: docs/contract.md#relay-replies: 452: the rate
  test.each([
    ['a free account', false, 10],
    ['a premium account', true, 1_200],
  ])('452 4.7.1: the rate of %s, for recipients taken, in all processes together', async (_title, premium, limit) => {
    const account = await relay.account({ premium, coins: 5_000 });
    const other = relay.another();
    await suppress(account, 'blokir@contoh.test');
    for (let n = 0; n < 3; n++) await recipient(account, 'blokir@contoh.test');
    const codes: string[] = [];
    for (let n = 0; n <= limit; n++) {
      const policy = n % 2 ? other : relay.policy;
      codes.push(codeOf(await policy.recipient(transactionOf(account), `siti${n}@contoh.test`)));
    }
    expect(codes.findIndex((code) => code !== 'taken')).toBe(limit);
    expect(codes.at(-1)).toBe('452 4.7.1');
    expect(codeOf(await recipient(account, 'blokir@contoh.test'))).toBe('550 5.7.1');
    relay.api.clock.advance(MINUTE);
    expect(await recipient(account, 'siti@contoh.test')).toBe(null);
  });

  test('the rate is that which an operator gave the account', async () => {
    const account = await relay.account({ premium: true, coins: 5_000 });
    await relay.api.stores.workspaces.setRate(account.workspace.id, { perMinute: 3 }, 0);
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await recipient(account, `siti${n}@contoh.test`));
    expect(answers.map(codeOf)).toEqual(['taken', 'taken', 'taken', '452 4.7.1']);
    expect(textOf(answers[3]!)).toMatch('limit of 3 emails per minute');
  });

  // spec: docs/contract.md#relay-replies: 451: nothing is made
  test('a store or a log that fails rejects, so that the answer is 451', async () => {
    const account = await relay.account();
    await suppress(account, 'blokir@contoh.test');
    for (const operation of ['coins.account', 'suppressions.reason', 'contacts.find', 'log.publish:coins.entries']) {
      relay.faults.arm({ operation, nth: 1, fault: { kind: 'error', when: 'before' } });
      await expect(recipient(account, 'blokir@contoh.test')).rejects.toThrow();
      relay.faults.disarm();
    }
    expect(await relay.penalties(account)).toBe(0);
    expect(codeOf(await recipient(account, 'blokir@contoh.test'))).toBe('550 5.7.1');
  });
});
