import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../../lib/clock';
import { ledgerId } from '../../domain/ledger/coins';
import { DEFAULT_LANGUAGE } from '../../domain/settings/language';
import { dkimKeysOf, newSelector } from '../../domain/settings/dkim-rotation';
import { dkimContext } from '../../domain/settings/sending-domain';
import type { Keyring } from '../../domain/keyring';
import { randomText } from '../../lib/random-text';
import type { DomainCategory, DomainStatus, SendingDomain } from '../../domain/settings/sending-domain';
import type { ApiKey, Scope, SmtpLogin, Workspace } from '../../domain/settings/workspace';
import { generateDkimKey } from '../../email/dkim-key';
import type { Stores } from '../../stores/ports';
import type { PostOutcome } from '../../stores/ports/coin-ledger';

export interface AccountDeps {
  stores: Pick<Stores, 'workspaces' | 'credentials' | 'domains' | 'coins'>;
  keyring: Keyring;
  clock: Clock;
}

/** Prefix of API keys (docs/contract.md#api-keys: 9 characters, then 32 letters or digits). */
export const KEY_PREFIX = 'kurir_sk_';

/**
 * What a dashboard would offer (docs/contract.md#dashboard-operations), for the first run and the command line:
 * workspaces, keys, logins, domains, coins.
 */
export class Accounts {
  constructor(private readonly deps: AccountDeps) {}

  createWorkspace(
    profile: Pick<Workspace, 'name' | 'businessName' | 'businessAddress'> &
      Partial<Pick<Workspace, 'language' | 'rates'>>,
  ): Promise<Workspace> {
    return this.deps.stores.workspaces.create({
      language: DEFAULT_LANGUAGE,
      rates: [],
      ...profile,
      suspended: false,
      emailModule: true,
      trackConversions: false,
      campaignApproval: false,
      unconfirmed: 'fail',
      createdAt: this.deps.clock.now(),
    });
  }

  /** Creates a key. Only this call and `viewKey` return its text. */
  async createKey(
    workspaceId: number,
    { name, scopes, ratePerMinute = null }: { name: string; scopes: Scope[]; ratePerMinute?: number | null },
  ): Promise<{ key: ApiKey; text: string }> {
    const text = KEY_PREFIX + randomText(32);
    const { keyring, clock, stores } = this.deps;
    const hash = keyring.hashCredential(text);
    const sealed = keyring.seal(text, `key:${hash}`);
    const createdAt = clock.now();
    const key = await stores.credentials.createKey({
      workspaceId,
      name,
      scopes,
      hash,
      sealed,
      revokedAt: null,
      createdAt,
      ratePerMinute,
    });
    return { key, text };
  }

  /** Returns the text of a key again (docs/contract.md#api-keys). */
  viewKey(key: ApiKey): string {
    return this.deps.keyring.open(key.sealed, `key:${key.hash}`);
  }

  /** Creates an SMTP login: `kur` + 6 digits, a password of 32 characters. */
  async createLogin(workspaceId: number): Promise<{ login: SmtpLogin; password: string }> {
    const { keyring, clock, stores } = this.deps;
    const password = randomText(32);
    for (;;) {
      const username = `kur${String(randomInt(1_000_000)).padStart(6, '0')}`;
      if (await stores.credentials.findLogin(username)) continue;
      const hash = keyring.hashCredential(`${username}:${password}`);
      const sealed = keyring.seal(password, `smtp:${username}`);
      const login = await stores.credentials.createLogin({
        workspaceId,
        username,
        hash,
        sealed,
        createdAt: clock.now(),
      });
      return { login, password };
    }
  }

  /** Returns the password of a login again. */
  viewPassword(login: SmtpLogin): string {
    return this.deps.keyring.open(login.sealed, `smtp:${login.username}`);
  }

  /** Gives a login a new password; the old one is refused at once. Null when the login no longer exists. */
  async rotatePassword({ username }: SmtpLogin): Promise<{ login: SmtpLogin; password: string } | null> {
    const { keyring, stores } = this.deps;
    const password = randomText(32);
    const login = await stores.credentials.setPassword(username, {
      hash: keyring.hashCredential(`${username}:${password}`),
      sealed: keyring.seal(password, `smtp:${username}`),
    });
    return login && { login, password };
  }

  /** Creates a sending domain with its own RSA-2048 DKIM key. */
  async createDomain(
    workspaceId: number,
    domain: string,
    status: DomainStatus,
    category: DomainCategory = 'marketing',
  ): Promise<SendingDomain> {
    const { privateKeyPem } = await generateDkimKey();
    return this.deps.stores.domains.create({
      workspaceId,
      domain,
      status,
      category,
      dkimSelector: 'kurir',
      dkimKeySealed: this.deps.keyring.seal(privateKeyPem, dkimContext(domain)),
      createdAt: this.deps.clock.now(),
    });
  }

  /** Makes the key that a domain is to sign with next. Null: another was faster, or the domain is gone. */
  async createPendingKey(of: SendingDomain): Promise<SendingDomain | null> {
    const { privateKeyPem } = await generateDkimKey();
    const selector = newSelector(this.deps.clock.now(), randomBytes(2).toString('hex'));
    const keySealed = this.deps.keyring.seal(privateKeyPem, dkimContext(of.domain));
    return this.deps.stores.domains.setDkim(of, { ...dkimKeysOf(of), dkimPending: { selector, keySealed } });
  }

  /**
   * Books purchased coins, which make the account premium until `expiresAt` (ms; null = no end). One reference is
   * booked once.
   */
  topUp(workspaceId: number, coins: number, reference: string, expiresAt: number | null): Promise<PostOutcome> {
    return this.deps.stores.coins.post({
      id: ledgerId.topup(reference),
      workspaceId,
      kind: 'topup',
      amount: coins,
      messageId: null,
      at: this.deps.clock.now(),
      purchase: { expiresAt },
    });
  }

  /** Books a gift: coins without premium. One reference is booked once. */
  grant(workspaceId: number, coins: number, reference: string): Promise<PostOutcome> {
    return this.deps.stores.coins.post({
      id: ledgerId.grant(reference),
      workspaceId,
      kind: 'grant',
      amount: coins,
      messageId: null,
      at: this.deps.clock.now(),
    });
  }
}
