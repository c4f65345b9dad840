import { sleep } from '../../lib/sleep';
import { coinsOf } from './exports';
import { Marketer } from './marketer';
import type { Outside } from './actors';
import { contentOf, htmlOf, type MailContent } from './mail-content';
import type { Focus } from './profile';
import { Reader } from './reader';
import type { Receivers } from './receivers';
import { RelayCaller } from './relay-caller';
import { ask } from './request';
import { Subscriber } from './subscriber';
import type { Account } from './template';

const EVENTS = ['delivered', 'bounce', 'complaint', 'open', 'click', 'unsubscribe'];
/** The share of operations of each part, from 0 to 1. */
const SHARES: readonly { part: Focus; from: number; to: number }[] = [
  { part: 'relay', from: 0, to: 0.12 },
  { part: 'sales', from: 0.72, to: 0.76 },
  { part: 'forms', from: 0.76, to: 0.82 },
  { part: 'journeys', from: 0.82, to: 0.88 },
  { part: 'campaigns', from: 0.88, to: 1 },
];
/** The newest addresses, whose mail may still wait. */
const NEWEST = 4;
/** Tries of a caller that knows no answer yet. */
const TRIES = 400;
/** Who acts once the callers are done. */
const LATE = 'caller-late';

interface Sent {
  content: MailContent;
  account: Account;
  key: string | null;
  to: string;
}

/** Everybody who uses the service: applications, people who read mail, and the operator. */
export class Callers {
  private readonly sent: Sent[] = [];
  private readonly blocked: { to: string; account: Account }[] = [];
  private readonly relay: RelayCaller;
  private readonly marketer: Marketer;
  private readonly subscriber: Subscriber;
  private readonly reader: Reader;

  constructor(private readonly outside: Outside) {
    this.relay = new RelayCaller(outside);
    this.marketer = new Marketer(outside);
    this.subscriber = new Subscriber(outside);
    this.reader = new Reader(outside);
  }

  private get random(): Outside['random'] {
    return this.outside.random;
  }

  private get recorder(): Outside['recorder'] {
    return this.outside.recorder;
  }

  private get profile(): Outside['profile'] {
    return this.outside.profile;
  }

  /** What is there before the run. */
  tellFacts(): void {
    for (const { workspaceId: workspace, coins, isFree, journeys } of this.outside.template.accounts) {
      this.recorder.begin('operator', 'account', { workspace, coins, isFree });
      for (const journey of journeys) this.recorder.begin('operator', 'journey', { workspace, ...journey });
    }
  }

  /** Registers the webhooks. */
  async subscribe(receivers: Receivers): Promise<void> {
    for (let n = 0; n < this.profile.hooks; n++) {
      const account = this.random.pick(this.outside.template.accounts);
      const { hook, url } = receivers.open(n);
      const events = this.random.chance(0.5) ? EVENTS : [this.random.pick(EVENTS)];
      const act = this.recorder.begin('operator', 'subscribe', { workspace: account.workspaceId, hook, events });
      const answer = await ask(this.outside.ports.http, '/v1/webhooks', {
        key: account.apiKey,
        body: { url, event_types: events },
      });
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
    if (this.profile.parts.campaigns) await this.marketer.startAll(LATE);
  }

  /** What is done while time passes: mails of campaigns and journeys come later than those that were sent. */
  async late(): Promise<void> {
    const { random } = this;
    if (this.profile.focus === 'campaigns' && random.chance(0.5)) return this.marketer.stir(LATE);
    if (random.chance(0.5)) return;
    const { campaigns, forms, sales } = this.profile.parts;
    const draw = random.next();
    if (draw < 0.3 && forms) return this.subscriber.confirm(LATE);
    if (draw < 0.6 && sales) return this.reader.buy(LATE);
    if (draw < 0.75 && campaigns) return this.marketer.act(LATE);
    return this.reader.visit(LATE);
  }

  /** Ends what somebody has to end. */
  goOn(): Promise<void> {
    return this.marketer.goOn(LATE);
  }

  private operation(name: string): Promise<void> {
    const { random, profile } = this;
    const { focus } = profile;
    if (focus !== null && random.chance(0.5) && profile.parts[focus]) return this.part(focus, name);
    const draw = random.next();
    // What is left out of a run leaves its share to sends.
    const part = SHARES.find(({ from, to }) => draw >= from && draw < to)?.part;
    return part && profile.parts[part] ? this.part(part, name) : this.usual(name);
  }

  private part(part: Focus, name: string): Promise<void> {
    const { random } = this;
    switch (part) {
      case 'relay':
        return this.relay.send(name);
      case 'campaigns':
        return random.chance(0.15) ? this.block(name) : this.marketer.act(name);
      case 'journeys':
        return random.chance(0.8) ? this.subscriber.enroll(name) : this.reader.visit(name);
      case 'forms':
        return random.chance(0.6) ? this.subscriber.fillIn(name) : this.subscriber.confirm(name);
      case 'sales':
        return this.reader.buy(name);
    }
  }

  private usual(name: string): Promise<void> {
    const { random, outside } = this;
    const draw = random.next();
    if (draw < 0.5) return this.send(name, outside.account());
    if (draw < 0.58 && this.sent.length > 0) return this.sendAgain(name);
    if (draw < 0.8) return this.reader.visit(name);
    if (draw < 0.9) return this.balance(name, outside.account());
    if (draw < 0.94) return this.topUp(name, this.buyer());
    return this.block(name);
  }

  private send(name: string, account: Account): Promise<void> {
    const n = this.outside.number();
    const key = this.random.chance(0.8) ? `order-${String(n).padStart(6, '0')}` : null;
    // Some insist on whoever they have blocked.
    const known = this.blocked.length > 0 && this.random.chance(0.2) ? this.random.pick(this.blocked) : null;
    const sent = {
      key,
      content: contentOf(`Pesanan ${n}`),
      ...(known ?? { account, to: this.outside.address(account, 's') }),
    };
    if (key !== null) this.sent.push(sent);
    return this.post(name, sent);
  }

  private sendAgain(name: string): Promise<void> {
    return this.post(name, this.random.pick(this.sent));
  }

  /** With a key it is sent until there is an answer. */
  private async post(name: string, { account, key, to, content }: Sent): Promise<void> {
    const body = { to, subject: content.subject, html: htmlOf(content), sending_domain_id: account.domainId };
    for (let n = 0; n < TRIES; n++) {
      const act = this.recorder.begin(name, 'send', { workspace: account.workspaceId, key, to, ...content });
      const headers = key === null ? {} : { 'idempotency-key': key };
      const answer = await ask(this.outside.ports.http, '/v1/messages', { key: account.apiKey, body, headers });
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

  private async balance(name: string, account: Account): Promise<void> {
    const act = this.recorder.begin(name, 'balance', { workspace: account.workspaceId });
    const coins = await coinsOf(this.outside, account);
    if (coins === null) act.info('no answer');
    else act.ok({ coins });
  }

  /** Who buys coins. Where campaigns are looked at, a free account stays one: it mails slowly enough to be paused. */
  private buyer(): Account {
    const { template } = this.outside;
    const premium = this.profile.focus === 'campaigns' ? template.accounts.find(({ isFree }) => !isFree) : undefined;
    return premium ?? this.outside.account();
  }

  private async topUp(name: string, { workspaceId }: Account): Promise<void> {
    const reference = `invoice-${this.outside.number()}`;
    const coins = 1 + this.random.below(20);
    const act = this.recorder.begin(name, 'top-up', { workspace: workspaceId, coins, reference });
    const answer = await this.outside.operate('coins.top-up', { workspace: String(workspaceId), coins, reference });
    if (answer?.status === 200) act.ok({ status: 200 });
    else act.info(answer ? `answered ${answer.status}` : 'no answer');
  }

  private async block(name: string): Promise<void> {
    const { owners } = this.outside;
    if (owners.size === 0) return;
    const all = [...owners];
    const [to, account] = this.random.pick(this.random.chance(0.5) ? all.slice(-NEWEST) : all);
    this.blocked.push({ to, account });
    const act = this.recorder.begin(name, 'block', { workspace: account.workspaceId, to });
    const answer = await this.outside.operate('suppress.add', { emails: [to], workspace: String(account.workspaceId) });
    if (answer?.status === 200) act.ok({ status: 200 });
    else act.info(answer ? `answered ${answer.status}` : 'no answer');
  }
}
