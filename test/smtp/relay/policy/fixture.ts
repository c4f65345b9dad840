import { expect } from '@jest/globals';
import { inProcessRateLimiter } from '../../../../api/rate-limit/in-process-rate-limiter';
import type { MailFault, SubmittedMail } from '../../../../smtp/relay/mail/submitted-mail';
import type { Login, SubmissionPolicyDeps } from '../../../../smtp/relay/policy/policy-deps';
import { createSubmissionPolicy } from '../../../../smtp/relay/policy';
import type { Reply, SubmissionPolicy, Transaction } from '../../../../smtp/relay/protocol/policy';
import { Accounts } from '../../../../operations/installation/accounts';
import type { Installation } from '../../../../proof/crash/installation';
import type { SmtpLogin } from '../../../../domain/settings/workspace';
import { UnavailableError } from '../../../../lib/errors';
import { faultyEngine } from '../../../../stores/wrappers/faulty-engine';
import { Faults } from '../../../../stores/wrappers/faults';
import { messageId } from '../../../support/builders';
import { TestApi, type Account, type AccountOptions } from '../../../support/test-api';

export const PEER = { address: '192.0.2.7' };

/** An account with a login of the relay. */
export interface RelayAccount extends Account {
  row: SmtpLogin;
  password: string;
  login: Login;
  /** An address on the account's domain. */
  from: string;
}

/** The policy on an engine. Mails are given as what was read of them; the waits of wrong logins take no time. */
export class TestRelay {
  /** The waits for wrong logins, ms. */
  readonly waits: number[] = [];
  /** The logged errors. */
  readonly logged: object[] = [];
  readonly policy: SubmissionPolicy<Login>;
  readonly faults: Faults;
  private readonly rateLimiter: SubmissionPolicyDeps['rateLimiter'];

  private constructor(
    readonly api: TestApi,
    private readonly installation: Installation,
  ) {
    this.rateLimiter = inProcessRateLimiter(api.clock, 60);
    this.faults = new Faults([], {
      crash: () => undefined,
      error: (operation) => new UnavailableError(operation),
      pause: () => Promise.resolve(),
    });
    this.policy = this.another();
  }

  static async open(installation: Installation): Promise<TestRelay> {
    const api = await TestApi.open({ engine: (clock) => installation.open(clock) });
    return new TestRelay(api, installation);
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.installation.remove();
  }

  /** The policy of one more process on the same data. */
  another({ mayAct = (): boolean => true } = {}): SubmissionPolicy<Login> {
    const { api, faults, rateLimiter } = this;
    const { stores, log } = faultyEngine(api.engine, faults);
    return createSubmissionPolicy({
      stores,
      log,
      keyring: api.keyring,
      clock: api.clock,
      newId: () => messageId(api.clock.now()),
      rateLimiter,
      mayAct,
      read: async (content) => JSON.parse(content.toString()) as SubmittedMail | MailFault,
      publicUrl: () => api.publicUrl,
      sleep: async (ms) => void this.waits.push(ms),
      logger: { error: (details) => void this.logged.push(details) },
    });
  }

  get accounts(): Accounts {
    const { stores, keyring, clock } = this.api;
    return new Accounts({ stores, keyring, clock });
  }

  /** A premium account, whose rate holds up no test. */
  async account(options: AccountOptions = {}): Promise<RelayAccount> {
    const account = await this.api.account({ premium: true, ...options });
    const { login: row, password } = await this.accounts.createLogin(account.workspace.id);
    const login = { username: row.username, workspaceId: row.workspaceId, hash: row.hash };
    return { ...account, row, password, login, from: `kasir@${account.domain.domain}` };
  }

  /** RCPT for each, then the mail: the final reply. */
  async send(
    account: RelayAccount,
    recipients: readonly string[],
    change: Partial<SubmittedMail> = {},
    policy = this.policy,
  ): Promise<Reply> {
    const mail = aRelayedMail(account, change);
    return policy.mail(transactionOf(account, recipients), contentOf(mail));
  }

  /** The messages of an account, newest first. */
  async messages({ workspace }: Account) {
    return (await this.api.stores.messages.list(workspace.id, { offset: 0, limit: 100 })).items;
  }

  /** The penalties booked for an account. */
  async penalties({ workspace }: Account): Promise<number> {
    await this.api.bookCoins();
    const rows = await this.api.stores.coins.rows(workspace.id, 0, 100);
    return rows.filter(({ kind }) => kind === 'penalty').length;
  }
}

export const transactionOf = (account: RelayAccount, recipients: readonly string[] = []): Transaction<Login> => ({
  login: account.login,
  peer: PEER,
  sender: { address: account.from, size: null, smtpUtf8: false },
  recipients,
});

export const contentOf = (read: SubmittedMail | MailFault): Buffer => Buffer.from(JSON.stringify(read));

export const aRelayedMail = (account: RelayAccount, change: Partial<SubmittedMail> = {}): SubmittedMail => ({
  messageId: null,
  from: { address: account.from, name: 'Kasir' },
  subject: 'Struk Anda',
  replyTo: null,
  html: '<p>Terima kasih</p>',
  text: 'Terima kasih',
  metadata: null,
  idempotencyKey: null,
  attachmentsLeftOut: 0,
  unknownCharset: null,
  thread: null,
  ...change,
});

/** `250 2.0.0`, or `taken` where a step takes what it is asked. */
export const codeOf = (reply: Reply | null): string => (reply ? `${reply.code} ${reply.enhanced}` : 'taken');

export const textOf = (reply: Reply | null): string => reply?.lines.join('\n') ?? '';

/** The ids in a final reply, in order. */
export function idsIn(reply: Reply): string[] {
  expect(codeOf(reply)).toBe('250 2.0.0');
  return textOf(reply).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}
