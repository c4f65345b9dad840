import { sleep } from '../../lib/sleep';
import { PORTS } from './program';
import type { Profile } from './profile';
import type { Random } from './random';
import type { Receivers } from './receivers';
import type { Recorder } from './recorder';
import { ask, type Answer } from './request';
import type { Mail, SendingServer } from './sending-server';
import type { Account, Template } from './template';

const HTML = '<p>Halo {{nama|Kak}}, <a href="https://toko.example/a">a</a> <a href="https://toko.example/b">b</a>.</p>';
const EVENTS = ['delivered', 'bounce', 'complaint', 'open', 'click', 'unsubscribe'];
/** Tries of a caller that knows no answer yet. */
const TRIES = 400;

/** A row of `kurir coins ledger --json`. */
interface LedgerRow {
  id: string;
  kind: string;
  coins: number;
  message_id: string | null;
}

interface Sent {
  account: Account;
  key: string | null;
  to: string;
}

/** Everybody who uses the service: applications, people who read mail, and the operator. */
export class Callers {
  private readonly sent: Sent[] = [];
  private count = 0;

  constructor(
    private readonly template: Template,
    private readonly profile: Profile,
    private readonly random: Random,
    private readonly recorder: Recorder,
    private readonly server: SendingServer,
    /** How many calls of the store have failed so far. */
    private readonly failures: () => number,
  ) {}

  /** Registers the webhooks. */
  async subscribe(receivers: Receivers): Promise<void> {
    for (let n = 0; n < this.profile.hooks; n++) {
      const account = this.random.pick(this.template.accounts);
      const { hook, url } = receivers.open(n);
      const events = this.random.chance(0.5) ? EVENTS : [this.random.pick(EVENTS)];
      const act = this.recorder.begin('operator', 'subscribe', { workspace: account.workspaceId, hook, events });
      const answer = await ask(PORTS.http, '/v1/webhooks', { key: account.apiKey, body: { url, event_types: events } });
      if (answer?.status !== 201) act.info(`answered ${answer?.status}`);
      else {
        receivers.know(hook, String(answer.body.secret));
        act.ok({ webhook: Number(answer.body.id) });
      }
    }
  }

  /** Plays the operations of the run, several callers at a time. */
  async play(): Promise<void> {
    let left = this.profile.operations;
    const caller = async (name: string): Promise<void> => {
      while (left-- > 0) {
        await sleep(this.random.between(0, this.profile.pause));
        await this.operation(name);
      }
    };
    await Promise.all(Array.from({ length: this.profile.callers }, (_, n) => caller(`caller-${n}`)));
  }

  /** All that the API tells, once all is idle. */
  async readAll(): Promise<void> {
    for (const account of this.template.accounts) {
      const act = this.recorder.begin('caller', 'final', { workspace: account.workspaceId });
      const coins = await this.coins(account);
      if (coins === null) throw new Error('GET /account has no answer in the end.');
      act.ok({ coins, messages: await this.messages(account), ledger: await this.ledger(account) });
    }
  }

  private operation(name: string): Promise<void> {
    const { random } = this;
    const draw = random.next();
    if (draw < 0.62) return this.send(name, random.pick(this.template.accounts));
    if (draw < 0.7 && this.sent.length > 0) return this.sendAgain(name);
    if (draw < 0.85 && this.server.mails.length > 0) return this.visit(name, random.pick(this.server.mails));
    if (draw < 0.93) return this.balance(name, random.pick(this.template.accounts));
    if (draw < 0.96) return this.topUp(name, random.pick(this.template.accounts));
    return this.block(name);
  }

  private send(name: string, account: Account): Promise<void> {
    const n = (this.count += 1);
    const kind = this.random.pick(this.profile.kinds);
    const key = this.random.chance(0.8) ? `order-${String(n).padStart(6, '0')}` : null;
    const sent = { account, key, to: `${kind}+${n}@pelanggan.test` };
    if (key !== null) this.sent.push(sent);
    return this.post(name, sent);
  }

  private sendAgain(name: string): Promise<void> {
    return this.post(name, this.random.pick(this.sent));
  }

  /** With a key it is sent until there is an answer. */
  private async post(name: string, { account, key, to }: Sent): Promise<void> {
    const body = { to, subject: 'Halo', html: HTML, sending_domain_id: account.domainId };
    for (let n = 0; n < TRIES; n++) {
      const act = this.recorder.begin(name, 'send', { workspace: account.workspaceId, key, to });
      const headers = key === null ? {} : { 'idempotency-key': key };
      const answer = await ask(PORTS.http, '/v1/messages', { key: account.apiKey, body, headers });
      if (answer?.status === 201 || answer?.status === 200) {
        return act.ok({
          status: answer.status,
          message: String(answer.body.message_id),
          state: String(answer.body.status),
        });
      }
      if (answer && answer.status < 500) return act.fail(answer.status, String(answer.body.message));
      act.info(answer ? `answered ${answer.status}` : 'no answer');
      if (key === null || this.random.chance(0.05)) return;
      await sleep(this.random.between(50, 3_000));
    }
  }

  private async visit(name: string, { message, source }: Mail): Promise<void> {
    const body = decoded(source);
    const clicks = [...body.matchAll(/https?:\/\/[^/\s"]+(\/t\/c\/[^\s"<>]+\/\d+)(?=["\s<>])/g)].map(
      ([, path]) => path ?? '',
    );
    const pixel = /https?:\/\/[^/\s"]+(\/t\/o\/[^\s"<>]+)/.exec(body)?.[1];
    const link = this.random.below(clicks.length + 1);
    const path = link < clicks.length ? clicks[link] : pixel;
    if (path === undefined) throw new Error(`A mail has no links of ours: ${source}`);
    const act =
      link < clicks.length
        ? this.recorder.begin(name, 'click', { message, link })
        : this.recorder.begin(name, 'open', { message });
    const before = this.failures();
    const answer = await ask(PORTS.http, path.replaceAll('&amp;', '&'), {});
    // A reader arrives also when the log does not take the visit.
    if (answer && answer.status < 400 && this.failures() === before) act.ok({ status: answer.status });
    else act.info(answer ? `answered ${answer.status}` : 'no answer');
  }

  private async balance(name: string, account: Account): Promise<void> {
    const act = this.recorder.begin(name, 'balance', { workspace: account.workspaceId });
    const coins = await this.coins(account);
    if (coins === null) act.info('no answer');
    else act.ok({ coins });
  }

  private async coins({ apiKey }: Account): Promise<number | null> {
    const answer = await ask(PORTS.http, '/v1/account', { key: apiKey });
    return answer?.status === 200 ? (answer.body.email as { coins: number }).coins : null;
  }

  private async topUp(name: string, { workspaceId }: Account): Promise<void> {
    const reference = `invoice-${(this.count += 1)}`;
    const coins = 1 + this.random.below(20);
    const act = this.recorder.begin(name, 'top-up', { workspace: workspaceId, coins, reference });
    const answer = await this.operate('coins.top-up', { workspace: String(workspaceId), coins, reference });
    if (answer?.status === 200) act.ok({ status: 200 });
    else act.info(answer ? `answered ${answer.status}` : 'no answer');
  }

  private async block(name: string): Promise<void> {
    const sent = this.sent.length > 0 ? this.random.pick(this.sent) : null;
    if (!sent) return;
    const { account, to } = sent;
    const act = this.recorder.begin(name, 'block', { workspace: account.workspaceId, to });
    const answer = await this.operate('suppress.add', { emails: [to], workspace: String(account.workspaceId) });
    if (answer?.status === 200) act.ok({ status: 200 });
    else act.info(answer ? `answered ${answer.status}` : 'no answer');
  }

  private operate(name: string, body: object): Promise<Answer | null> {
    return ask(PORTS.http, `/admin/v1/${name}`, { key: this.template.adminKey, body });
  }

  private async messages({ apiKey }: Account) {
    const all: { message: string; to: string; state: string; reason: string | null }[] = [];
    for (let page = 1; ; page++) {
      const answer = await ask(PORTS.http, `/v1/messages?page=${page}`, { key: apiKey });
      if (answer?.status !== 200) throw new Error(`GET /messages answered ${answer?.status} in the end.`);
      const { data, last_page: last } = answer.body as { data: Record<string, string | null>[]; last_page?: number };
      for (const { message_id, to, status, failed_reason: reason } of data)
        all.push({ message: message_id ?? '', to: to ?? '', state: status ?? '', reason: reason ?? null });
      if (page >= (last ?? 1) || data.length === 0) return all;
    }
  }

  private async ledger({ workspaceId }: Account) {
    const all: { id: string; kind: string; amount: number; message: string | null }[] = [];
    for (let before: number | null = null; ;) {
      const input = { workspace: String(workspaceId), limit: 500, ...(before !== null && { before }) };
      const answer = await this.operate('coins.ledger', input);
      if (answer?.status !== 200) throw new Error(`coins.ledger answered ${answer?.status} in the end.`);
      const { data, next_before: next } = answer.body as unknown as { data: LedgerRow[]; next_before: number | null };
      for (const { id, kind, coins, message_id: message } of data) all.push({ id, kind, amount: coins, message });
      if (next === null) return all.reverse();
      before = next;
    }
  }
}

/** The mail with its quoted-printable parts decoded. */
const decoded = (source: string): string =>
  source.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
