import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Reply } from '../../../../smtp/relay/protocol/policy';
import { texts } from '../../../../domain/texts';
import { DAY, MINUTE } from '../../../../lib/clock';
import { describeOnEngines } from '../../../support/engines';
import { codeOf, PEER, TestRelay, textOf, transactionOf, type RelayAccount } from './fixture';

describeOnEngines('The logins of the relay', (install) => {
  let relay: TestRelay;
  let account: RelayAccount;
  beforeAll(async () => {
    relay = await TestRelay.open(install());
  });
  beforeEach(async () => {
    relay.api.clock.advance(120_000);
    relay.waits.length = 0;
    account = await relay.account();
  });
  afterAll(() => relay.close());

  const logIn = (password = account.password, policy = relay.policy, username = account.row.username) =>
    policy.login({ username, password }, PEER);
  const refusalOf = async (password?: string, policy = relay.policy, username?: string): Promise<Reply | null> => {
    const answer = await logIn(password, policy, username);
    return 'refusal' in answer ? answer.refusal : null;
  };
  const mailFrom = (address = account.from) =>
    relay.policy.sender(account.login, { address, size: null, smtpUtf8: false }, PEER);
  const rcptTo = (address: string) => relay.policy.recipient(transactionOf(account), address);

  // spec: docs/contract.md#relay-logins: the logins of the command line
  test('are those of the command line: the right password answers the login, without a wait', async () => {
    expect(await logIn()).toEqual({ login: account.login });
    expect(relay.waits).toEqual([]);
  });

  // spec: docs/contract.md#relay-logins: nothing tells a wrong user from a wrong password
  test('535 5.7.8: a wrong password and an unknown user get one answer, at the same moment', async () => {
    const wrong = await refusalOf('x'.repeat(32));
    const [waited] = relay.waits;
    const unknown = await refusalOf('x'.repeat(32), relay.another(), 'kur999999');
    expect(codeOf(wrong)).toBe('535 5.7.8');
    expect(unknown).toEqual(wrong);
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThanOrEqual(300);
  });

  // spec: docs/contract.md#relay-replies: 451: a process on standby
  test('451 4.3.2 from MAIL on while this process is on standby; AUTH works, and nothing is taken or booked', async () => {
    const policy = relay.another({ mayAct: () => false });
    expect(await logIn(account.password, policy)).toEqual({ login: account.login });
    const answers = [
      await policy.sender(account.login, { address: account.from, size: null, smtpUtf8: false }, PEER),
      await policy.recipient(transactionOf(account), 'not an address'),
      await relay.send(account, ['siti@contoh.test'], {}, policy),
    ];
    expect(answers.map(codeOf)).toEqual(['451 4.3.2', '451 4.3.2', '451 4.3.2']);
    expect(await relay.messages(account)).toEqual([]);
    expect(await relay.penalties(account)).toBe(0);
  });

  // spec: docs/contract.md#relay-logins: a replaced password stops at once
  test('a replaced password stops at once, also in other processes and for who is logged in with it', async () => {
    const other = relay.another();
    expect(await mailFrom()).toBe(null);
    const rotated = await relay.accounts.rotatePassword(account.row);
    expect(codeOf(await refusalOf())).toBe('535 5.7.8');
    expect(codeOf(await refusalOf(account.password, other))).toBe('535 5.7.8');
    expect(codeOf(await mailFrom())).toBe('530 5.7.0');
    expect(await refusalOf(rotated?.password, other)).toBe(null);
  });

  // spec: docs/contract.md#relay-logins: also within a mail
  test('a password that is replaced after MAIL: no recipient is looked at, no penalty booked, no mail taken', async () => {
    await relay.accounts.rotatePassword(account.row);
    for (const address of ['satu@contoh.test', 'no address']) {
      expect(codeOf(await rcptTo(address))).toBe('530 5.7.0');
    }
    expect(codeOf(await relay.send(account, ['satu@contoh.test']))).toBe('530 5.7.0');
    expect([await relay.messages(account), await relay.penalties(account)]).toEqual([[], 0]);
  });

  // spec: docs/contract.md#relay-replies: 535, 550: a suspended account
  test('a suspended workspace is refused at AUTH after the right password, and at MAIL', async () => {
    await relay.api.stores.workspaces.update(account.workspace.id, { suspended: true });
    const refused = await refusalOf();
    expect([codeOf(refused), textOf(refused)]).toEqual(['535 5.7.13', texts.workspaceSuspended]);
    expect(codeOf(await refusalOf('wrong'))).toBe('535 5.7.8');
    expect([codeOf(await mailFrom()), textOf(await mailFrom())]).toEqual(['550 5.7.1', texts.workspaceSuspended]);
  });

  // spec: docs/contract.md#relay-replies: 535, 550: a suspended account
  test('a suspension after MAIL refuses the recipients, without a penalty, and the mail', async () => {
    await relay.api.stores.workspaces.update(account.workspace.id, { suspended: true });
    expect(textOf(await rcptTo('no address'))).toBe(texts.workspaceSuspended);
    expect(codeOf(await relay.send(account, ['satu@contoh.test']))).toBe('550 5.7.1');
    expect([await relay.messages(account), await relay.penalties(account)]).toEqual([[], 0]);
  });

  // spec: docs/contract.md#relay-replies: 454, 451: the module is closed
  test('an inactive module refuses for good, one that the operator closed for now', async () => {
    const { workspaces, settings } = relay.api.stores;
    await workspaces.update(account.workspace.id, { emailModule: false });
    expect([codeOf(await refusalOf()), codeOf(await mailFrom())]).toEqual(['535 5.7.13', '550 5.7.1']);
    expect(textOf(await refusalOf())).toBe(texts.moduleInactive(relay.api.publicUrl));
    await workspaces.update(account.workspace.id, { emailModule: true });
    await settings.set('switches', { module: false });
    expect([codeOf(await refusalOf()), codeOf(await mailFrom())]).toEqual(['454 4.7.0', '451 4.7.1']);
    expect(textOf(await mailFrom())).toBe(texts.moduleClosed);
    await settings.set('switches', { module: true });
    expect([await refusalOf(), await mailFrom()]).toEqual([null, null]);
  });

  // spec: docs/contract.md#relay-replies: 550: the sender
  test('550 5.7.1 at MAIL: a sender that is not on an active domain of the account', async () => {
    const other = await relay.account();
    const { domain } = account.domain;
    const foreign = ['', 'kasir', `kasir@sub.${domain}`, other.from, 'kasir@tidak-ada.test', `a b@${domain}`];
    for (const address of foreign) expect([address, codeOf(await mailFrom(address))]).toEqual([address, '550 5.7.1']);
    expect(await mailFrom(`Kasir@${domain.toUpperCase()}`)).toBe(null);
    await relay.api.stores.domains.setStatus(account.domain.id, 'suspended');
    expect(codeOf(await mailFrom())).toBe('550 5.7.1');
  });

  describe('with wrong passwords of others for its name', () => {
    const from = (n: number) => ({ address: `198.51.100.${n}` });
    const tryFrom = async (n: number, password: string, policy = relay.policy): Promise<string> => {
      const answer = await policy.login({ username: account.row.username, password }, from(n));
      return 'refusal' in answer ? codeOf(answer.refusal) : 'in';
    };
    /** Twenty-one wrong passwords, each from the network that `network` names. */
    const attack = async (network: (n: number) => number, policy = relay.policy): Promise<void> => {
      for (let n = 0; n < 21; n++) await tryFrom(network(n), 'wrong', policy);
    };

    // spec: docs/contract.md#relay-logins: the owner gets in from elsewhere
    test('of one network, the owner gets in from another at once; that network waits until the minute is over', async () => {
      await attack(() => 1);
      expect([await tryFrom(2, account.password), await tryFrom(1, account.password)]).toEqual(['in', '454 4.7.0']);
      relay.api.clock.advance(MINUTE);
      expect(await tryFrom(1, account.password)).toBe('in');
    });

    test('of many networks, a new one has one try, and those that were wrong wait', async () => {
      await attack((n) => 10 + n);
      expect([await tryFrom(12, account.password), await tryFrom(40, account.password)]).toEqual(['454 4.7.0', 'in']);
      expect([await tryFrom(41, 'wrong'), await tryFrom(41, account.password)]).toEqual(['535 5.7.8', '454 4.7.0']);
    });

    // spec: docs/contract.md#relay-logins: a known network is remembered
    test('a known network gets in after a typing error too, in processes that started since, for 30 days', async () => {
      expect(await tryFrom(5, account.password)).toBe('in');
      relay.api.clock.advance(30 * DAY - MINUTE);
      const started = [relay.another(), relay.another()];
      for (const policy of started) {
        await attack((n) => 50 + n, policy);
        expect([await tryFrom(5, 'typing error', policy), await tryFrom(5, account.password, policy)]).toEqual([
          '535 5.7.8',
          'in',
        ]);
      }
      relay.api.clock.advance(31 * DAY);
      const late = relay.another();
      await attack((n) => 50 + n, late);
      expect([await tryFrom(5, 'typing error', late), await tryFrom(5, account.password, late)]).toEqual([
        '535 5.7.8',
        '454 4.7.0',
      ]);
    });

    test('a known network is limited by its own wrong passwords', async () => {
      expect(await tryFrom(6, account.password)).toBe('in');
      await attack(() => 6);
      expect(await tryFrom(6, account.password)).toBe('454 4.7.0');
    });
  });

  test('a store that fails rejects, so that the answer is 451', async () => {
    for (const operation of ['credentials.findLogin', 'workspaces.get', 'domains.findByName']) {
      relay.faults.arm({ operation, nth: 1, fault: { kind: 'error', when: 'before' } });
      await expect(mailFrom()).rejects.toThrow(operation);
      relay.faults.disarm();
    }
  });
});
