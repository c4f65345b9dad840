import { isHardClass } from '../../domain/bounces/bounce-class';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptMessage } from '../../commands/accept/accept-messages';
import { Refusal } from '../../commands/accept/refusal';
import type { AdvancingClock } from '../../app/core/advancing-clock';
import { HOUR } from '../../lib/clock';
import { dkimContext, type SendingDomain } from '../../domain/settings/sending-domain';
import type { Message } from '../../domain/messages/message';
import { MAX_WEBHOOKS, webhookSecretContext } from '../../domain/webhooks/webhook';
import { WEBHOOK_WORK } from '../../domain/webhooks/webhook-delivery';
import type { Workspace } from '../../domain/settings/workspace';
import { generateDkimKey } from '../../email/dkim-key';
import { UnavailableError } from '../../lib/errors';
import { aDomain, aGrant, aWorkspace, nextSerial, TEST_KEYRING } from '../support/builders';
import { frozenClock } from '../support/clock';
import { ServiceRun } from './service-run';
import { Hooks, HOOK_SECRET } from './hooks';
import { Mta } from './mta';
import { WORKSPACES, type Operation, type Schedule } from './operations';

export interface Account {
  workspace: Workspace;
  domain: SendingDomain;
}

/** A report that reached the log; not certain when the log failed or the service died meanwhile. */
export interface ReportSent {
  kind: string;
  trusted: boolean;
  certain: boolean;
}

const COINS = 14;
/** Virtual time after which every message must be final: three days of retries, four of waiting, and slow accounts. */
const BOUND = 40;
const address = (n: number): string => `penerima${n}@contoh.test`;
let dkimKey: Promise<string> | null = null;

/** An installation with its callers and its sending server, and what these know independently of the service. */
export class Rig {
  readonly mta = new Mta();
  hooks!: Hooks;
  readonly accounts: Account[] = [];
  /** Ids of accepted messages. */
  readonly accepted = new Map<string, Account>();
  /** The id returned for each idempotency key. */
  readonly keys = new Map<string, string>();
  readonly reports = new Map<string, ReportSent[]>();
  /** Messages whose recipient was blocked, with their number of claims by then. */
  readonly blocked = new Map<string, number>();
  /** Answers that contradict earlier answers. */
  readonly contradictions: string[] = [];
  crashes = 0;
  private service!: ServiceRun;

  private constructor(
    readonly dir: string,
    readonly clock: AdvancingClock,
    readonly cap: number | null,
  ) {}

  static async open({ cap }: Pick<Schedule, 'cap'>): Promise<Rig> {
    const rig = new Rig(mkdtempSync(join(tmpdir(), 'kurir-model-')), frozenClock(), cap);
    rig.hooks = await Hooks.open(rig.clock);
    rig.service = await rig.startService();
    const { stores } = rig.service.raw;
    dkimKey ??= generateDkimKey().then(({ privateKeyPem }) => privateKeyPem);
    for (let n = 0; n < WORKSPACES; n++) {
      const workspace = await stores.workspaces.create(aWorkspace());
      const domain = `d${nextSerial()}.kurir.test`;
      const dkimKeySealed = TEST_KEYRING.seal(await dkimKey, dkimContext(domain));
      rig.accounts.push({
        workspace,
        domain: await stores.domains.create(aDomain(workspace.id, { domain, dkimKeySealed })),
      });
      await stores.coins.post(aGrant(workspace.id, COINS));
    }
    if (cap !== null) await stores.settings.set('warmup_cap', cap);
    // The group begins at the newest record, which is none yet.
    await rig.service.groups.webhooks.step(1, false);
    for (const { workspace } of rig.accounts) {
      for (const broken of [false, true]) await rig.subscribe(workspace, broken);
    }
    return rig;
  }

  get stores(): ServiceRun['raw']['stores'] {
    return this.service.raw.stores;
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.hooks.close();
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Runs one operation. Errors of an unavailable store are expected; a crash is followed by a restart. */
  async play(operation: Operation): Promise<void> {
    const work = this.perform(operation).catch((error: unknown) => {
      if (!(error instanceof UnavailableError)) throw error;
    });
    const end = await Promise.race([work, this.service.died]);
    if (end !== 'died') return;
    void work.catch(() => undefined);
    this.crashes += 1;
    await this.restart();
  }

  /**
   * Stops the faults and resolves when every message is final and nothing is pending; throws when that never happens.
   */
  async drain(): Promise<void> {
    this.service.faults.disarm();
    this.mta.follow([]);
    this.hooks.follow([], 'public');
    await this.restart();
    for (let step = 0; step < BOUND; step++) {
      for (let round = 0; round < 12 && (await this.workOff()); round++);
      if (await this.isIdle()) return;
      this.clock.advance(6 * HOUR);
    }
    throw new Error('I2: not every message and every webhook became final');
  }

  /** True when every message is final and no webhook waits. */
  private async isIdle(): Promise<boolean> {
    if ((await this.stores.dueTasks.nextDue(WEBHOOK_WORK)) !== null) return false;
    return (await this.messages()).every(({ status }) => ['delivered', 'bounced', 'failed'].includes(status));
  }

  async messages(): Promise<Message[]> {
    const lists = this.accounts.map(({ workspace }) =>
      this.stores.messages.list(workspace.id, { offset: 0, limit: 1_000 }),
    );
    return (await Promise.all(lists)).flatMap(({ items }) => items);
  }

  private async workOff(): Promise<boolean> {
    const { service } = this;
    for (const { workspace } of this.accounts) await service.claim(workspace.id);
    await service.tick();
    const groups = Object.values(service.groups);
    for (const group of groups) await group.step(200, true);
    await service.deliver();
    return (await Promise.all(groups.map((group) => group.waiting()))).some((left) => left > 0);
  }

  private async restart(): Promise<void> {
    await this.service.close();
    this.service = await this.startService();
  }

  private startService(): Promise<ServiceRun> {
    return ServiceRun.start(this.dir, this.clock, { mta: this.mta, hooks: this.hooks });
  }

  private async perform(operation: Operation): Promise<void> {
    const { service } = this;
    switch (operation.do) {
      case 'accept':
        return this.accept(operation);
      case 'forced send':
        return this.forceSend(this.account(operation.workspace));
      case 'claim':
        return service.claim(this.account(operation.workspace).workspace.id);
      case 'dispatch':
        this.mta.follow(operation.mta);
        return service.groups.dispatch.step(operation.records, operation.commit);
      case 'consume':
        return service.groups[operation.group].step(operation.records, operation.commit);
      case 'report':
        return this.report(operation);
      case 'advance':
        return this.clock.advance(operation.ms);
      case 'timers':
        return service.tick();
      case 'block':
        return this.block(operation.how, this.account(operation.workspace), address(operation.to));
      case 'top up':
        return this.topUp(this.account(operation.workspace), operation.coins);
      case 'fault':
        return service.faults.arm(operation);
      case 'restart':
        return this.restart();
      default:
        return this.performOnWebhooks(operation);
    }
  }

  private async performOnWebhooks(
    operation: Extract<Operation, { do: 'webhook' | 'open' | 'deliver' }>,
  ): Promise<void> {
    switch (operation.do) {
      case 'webhook':
        return this.changeWebhook(operation.how, this.account(operation.workspace).workspace, operation.which);
      case 'open':
        return this.open(operation.mail);
      case 'deliver':
        this.hooks.follow(operation.answers, operation.dns);
        return this.service.deliver();
    }
  }

  private account(n: number): Account {
    return this.accounts[n]!;
  }

  private async accept({ workspace, to, key, attachment }: Extract<Operation, { do: 'accept' }>): Promise<void> {
    const account = this.account(workspace);
    const idempotencyKey = key === null ? null : `kunci-${key}`;
    const attachments = [{ filename: 'nota.txt', content: 'bm90YQ==' }];
    const answer = await this.offer(account, { to: address(to), ...(attachment && { attachments }) }, idempotencyKey);
    if (answer instanceof Refusal) return;
    this.accepted.set(answer.id, account);
    if (idempotencyKey === null) return;
    const name = `${account.workspace.id}/${idempotencyKey}`;
    const first = this.keys.get(name) ?? answer.id;
    if (first !== answer.id) this.contradictions.push(`I9: ${name} was ${first} and is now ${answer.id}`);
    this.keys.set(name, first);
  }

  private async forceSend(account: Account): Promise<void> {
    await this.offer(account, { to: 'bukan alamat' }, null);
  }

  private offer({ workspace, domain }: Account, fields: object, idempotencyKey: string | null) {
    const { engine, newId } = this.service;
    const deps = { ...engine, keyring: TEST_KEYRING, clock: this.clock, newId };
    const mail = { subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domain.id, ...fields };
    return acceptMessage(deps, { workspace, channel: 'api', fields: mail, source: 'json', idempotencyKey });
  }

  /** The sending server, or a forger, reports on a mail that was taken. */
  private async report({ mail, kind, class: found, trusted }: Extract<Operation, { do: 'report' }>): Promise<void> {
    const known = [...this.mta.taken.keys()];
    const messageId = known[mail % Math.max(known.length, 1)];
    if (messageId === undefined) return;
    const sent: ReportSent = { kind, trusted, certain: false };
    this.reports.set(messageId, [...(this.reports.get(messageId) ?? []), sent]);
    const isRefusal = kind === 'bounced' || kind === 'expired';
    const hard = kind === 'bounced' && isHardClass(found);
    const feedback = { kind, trusted, text: '', class: isRefusal ? found : null, hard, at: this.clock.now() };
    await this.service.engine.log.publish([{ topic: 'mta.feedback', key: messageId, value: { messageId, feedback } }]);
    sent.certain = true;
  }

  /** Someone opens a mail: webhooks learn of it. */
  private async open(mail: number): Promise<void> {
    const known = [...this.accepted.entries()];
    const [messageId, account] = known[mail % Math.max(known.length, 1)] ?? [];
    if (messageId === undefined || !account) return;
    const facts = {
      workspaceId: account.workspace.id,
      messageId,
      event: 'open',
      occurredAt: this.clock.now(),
    } as const;
    const value = { ...facts, key: `open-${nextSerial()}` };
    await this.service.engine.log.publish([{ topic: 'message.events', key: messageId, value }]);
  }

  private async block(
    how: Extract<Operation, { do: 'block' }>['how'],
    { workspace }: Account,
    email: string,
  ): Promise<void> {
    const { stores } = this.service.engine;
    const contact = await this.stores.contacts.find(workspace.id, email);
    if (!contact) return;
    const at = this.clock.now();
    const entry = {
      workspaceId: workspace.id,
      addressHash: contact.emailHash,
      reason: 'manual' as const,
      messageId: null,
      createdAt: at,
    };
    if (how === 'suppression') await stores.suppressions.add(entry);
    else if (how === 'unsubscribe') await stores.contacts.raiseStatus(workspace.id, contact.id, 'unsubscribed', at);
    else await stores.contacts.delete(workspace.id, contact.id);
    for (const { id, contactId, attempt } of await this.messages()) {
      if (contactId === contact.id && !this.blocked.has(id)) this.blocked.set(id, attempt);
    }
  }

  private async changeWebhook(
    how: Extract<Operation, { do: 'webhook' }>['how'],
    workspace: Workspace,
    which: number,
  ): Promise<void> {
    if (how === 'create') return this.subscribe(workspace);
    const own = this.hooks.known.filter(({ id, workspaceId }) => id !== null && workspaceId === workspace.id);
    const hook = own[which % Math.max(own.length, 1)];
    if (!hook?.id) return;
    const { webhooks, deliveries } = this.service.engine.stores;
    if (how === 'enable') {
      // What was queued before this moment is not sent.
      this.clock.advance(1);
      const was = hook.ended;
      hook.ended = false;
      const enabled = await webhooks.enable(hook.id, this.clock.now());
      hook.ended = was && !enabled;
      return;
    }
    if (how === 'delete') await webhooks.delete(workspace.id, hook.id);
    else await webhooks.disable(hook.id);
    hook.ended = true;
    await deliveries.cancelWaiting(hook.id);
  }

  private async subscribe({ id: workspaceId }: Workspace, broken = false): Promise<void> {
    const hook = this.hooks.add(workspaceId, broken);
    const { url } = hook;
    const secretSealed = TEST_KEYRING.seal(HOOK_SECRET, webhookSecretContext({ workspaceId, url }));
    const facts = { url, secretSealed, isActive: true, createdAt: this.clock.now() };
    const made = await this.service.engine.stores.webhooks.create(
      { ...facts, workspaceId, eventTypes: ['delivered', 'bounce', 'complaint', 'open'] },
      MAX_WEBHOOKS,
    );
    hook.id = made?.id ?? null;
  }

  private async topUp({ workspace }: Account, coins: number): Promise<void> {
    const purchase = { expiresAt: this.clock.now() + 24 * HOUR };
    await this.service.engine.stores.coins.post(
      aGrant(workspace.id, coins, { kind: 'topup', purchase, at: this.clock.now() }),
    );
  }
}
