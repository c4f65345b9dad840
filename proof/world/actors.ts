import { sleep } from '../../lib/sleep';
import type { Kind } from '../crash/sink/behaviour';
import type { Acts } from '../judge/history';
import type { Profile } from './profile';
import type { Ports } from './program';
import type { Random } from './random';
import type { Recorder } from './recorder';
import { ask, type Answer, type Asked } from './request';
import type { SendingServer } from './sending-server';
import type { Account, Template } from './template';

/** Tries of a caller that knows no answer yet. */
const TRIES = 400;

/** `onSilence` is called when nothing answered. */
type OutsideOptions = Pick<
  Outside,
  'template' | 'profile' | 'random' | 'recorder' | 'server' | 'ports' | 'failures'
> & { onSilence?: () => void };

/** What all who use the service share. */
export class Outside {
  /** Whose mail to an address is. */
  readonly owners = new Map<string, Account>();
  private count = 0;
  private deferred = 0;
  private isClosed = false;

  readonly template: Template;
  readonly profile: Profile;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly server: SendingServer;
  readonly ports: Ports;
  /** How many calls of the store have failed so far. */
  readonly failures: () => number;
  private readonly onSilence: () => void;

  constructor({ template, profile, random, recorder, server, ports, failures, onSilence }: OutsideOptions) {
    [this.template, this.profile, this.random, this.recorder] = [template, profile, random, recorder];
    [this.server, this.ports, this.failures] = [server, ports, failures];
    this.onSilence = onSilence ?? ((): void => undefined);
  }

  /** Ends every wait for an answer: there is no service any more. */
  close(): void {
    this.isClosed = true;
  }

  number(): number {
    return (this.count += 1);
  }

  account(): Account {
    return this.random.pick(this.template.accounts);
  }

  /** A new address, whose mail the sending server treats as its name says. */
  address(account: Account, what: string, of: 'tag' | 'mailbox' = 'tag'): string {
    const [kind, n] = [this.kind(), this.number()];
    const to = of === 'tag' ? `${kind}+${what}${n}@pelanggan.test` : `${kind}@${what}${n}.test`;
    this.owners.set(to, account);
    return to;
  }

  private kind(): Kind {
    const kind = this.random.pick(this.profile.kinds);
    if (kind === 'defer') this.deferred += 1;
    return kind === 'defer' && this.deferred > (this.profile.deferred ?? Infinity) ? 'delivered' : kind;
  }

  /** An operation of the management API. */
  operate(name: string, body: object): Promise<Answer | null> {
    return ask(this.ports.http, `/admin/v1/${name}`, { key: this.template.adminKey, body });
  }

  /** What an operation answers when nothing goes wrong any more. Throws if it does. */
  async told(name: string, body: object): Promise<Answer['body']> {
    const answer = await this.operate(name, body);
    if (answer?.status !== 200) throw new Error(`${name} answered ${answer?.status} in the end.`);
    return answer.body;
  }

  /** Every row of an operation that answers pages. */
  async rows<T>(name: string, body: object): Promise<T[]> {
    const all: T[] = [];
    for (let after: unknown = null; ;) {
      const page = await this.told(name, { ...body, limit: 500, ...(after !== null && { after }) });
      all.push(...(page.data as T[]));
      after = page.next_after ?? null;
      if (after === null) return all;
    }
  }

  /** Asks until there is an answer, each time by an act of its own. Null if it was refused, or given up. */
  async insist<F extends keyof Acts>(
    f: F,
    { name, value, path, asked, said, isStubborn = false }: Insisted<F>,
  ): Promise<Acts[F][1] | null> {
    for (let n = 0; (n < TRIES || isStubborn) && !this.isClosed; n++) {
      const act = this.recorder.begin(name, f, value);
      const answer = await ask(this.ports.http, path, asked);
      if (answer && answer.status < 400) {
        const facts = said(answer);
        act.ok(facts);
        return facts;
      }
      // 408: the machine was too busy to read the request in time.
      if (answer && answer.status < 500 && answer.status !== 408) {
        act.fail(answer.status, String(answer.body.message));
        return null;
      }
      act.info(answer ? `answered ${answer.status}` : 'no answer');
      this.onSilence();
      if (!isStubborn && this.random.chance(0.05)) return null;
      await sleep(this.random.between(50, isStubborn ? 300 : 3_000));
    }
    return null;
  }
}

interface Insisted<F extends keyof Acts> {
  /** Who asks. */
  name: string;
  value: Acts[F][0];
  path: string;
  asked: Asked;
  said: (answer: Answer) => Acts[F][1];
  /** True: it does not give up before it knows. */
  isStubborn?: boolean;
}
