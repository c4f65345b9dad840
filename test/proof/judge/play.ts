import type { Acts, Line, ReportKind } from '../../../proof/judge/history';

type Name = keyof Acts;
type Answer = Record<string, unknown>;
interface Row {
  id: string;
  kind: string;
  amount: number;
  message: string | null;
}

interface TakeOptions {
  type?: Line['type'];
  to?: string;
  fault?: string | null;
  status?: number;
}

const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NO_RECORD = 'Tidak ada catatan pengiriman dari MTA.';
export const EXHAUSTED = 'MTA menolak sementara terus-menerus: 451 later';
export const NO_COINS = 'Saldo koin habis — top-up koin untuk lanjut mengirim.';
export const SUPPRESSED = 'Penerima ada di suppression list.';

/** Writes histories by hand: acts of one workspace, one after the other, with a program that is right. */
export class Play {
  readonly lines: Line[] = [];
  readonly ledger: Row[] = [];
  readonly messages: { message: string; to: string; state: string; reason: string | null }[] = [];
  t = 0;
  coins: number;
  private n = 0;

  constructor(
    readonly workspace = 1,
    { coins = 100, isFree = false } = {},
  ) {
    this.coins = coins;
    this.ledger.push({ id: `grant:${workspace}`, kind: 'grant', amount: coins, message: null });
    this.tell('operator', 'account', { workspace, coins, isFree });
  }

  wait(ms: number): this {
    this.t += ms;
    return this;
  }

  /** An invocation without a completion. */
  tell(process: string, f: Name, value: object): number {
    this.n += 1;
    const n = this.workspace * 10_000_000 + this.n;
    this.lines.push({ t: this.t, process, type: 'invoke', f, n, value });
    return n;
  }

  end(process: string, f: Name, n: number, type: Line['type'], value: object = {}): void {
    this.lines.push({ t: this.t, process, type, f, n, value });
  }

  act(process: string, f: Name, value: object, answer: Answer = {}, type: Line['type'] = 'ok', ms = 10): void {
    const n = this.tell(process, f, value);
    this.t += ms;
    this.end(process, f, n, type, answer);
  }

  fault(kind = 'kill'): this {
    this.tell('nemesis', 'fault', { kind });
    return this;
  }

  /** A send that is answered, or not. */
  send(
    message: string,
    { key = null as string | null, status = 201, to = `${message}@a.test`, again = false, state = 'queued' } = {},
  ): this {
    this.act(
      'caller-1',
      'send',
      { workspace: this.workspace, key, to, ...(again && { again }) },
      { status, message, state },
    );
    return this;
  }

  unknownSend(to: string, key: string | null = null): this {
    this.act('caller-1', 'send', { workspace: this.workspace, key, to }, {}, 'info');
    return this;
  }

  refusedSend(to: string, reason: string, again = true): this {
    const value = { workspace: this.workspace, key: null, to, ...(again && { again }) };
    this.act('caller-1', 'send', value, { status: 422, reason }, 'fail');
    return this;
  }

  private readonly debits = new Map<string, number>();
  /** A claim, as the ledger has it. */
  debit(message: string, suffix?: string): this {
    const attempt = (this.debits.get(message) ?? 0) + (suffix ? 0 : 1);
    this.debits.set(message, attempt);
    return this.book(`debit:${message}:${suffix ?? attempt}`, 'debit', -1, message);
  }

  refund(message: string): this {
    return this.book(`refund:${message}:${this.debits.get(message)}`, 'refund', 1, message);
  }

  penalty(message: string): this {
    return this.book(`penalty:${message}`, 'penalty', -4, message);
  }

  book(id: string, kind: string, amount: number, message: string | null): this {
    this.coins += amount;
    this.ledger.push({ id, kind, amount, message });
    return this;
  }

  take(message: string, { type = 'ok', to = `${message}@a.test`, fault = null, status = 451 }: TakeOptions = {}): this {
    this.debit(message);
    const answer = type === 'ok' ? { reply: '250 ok' } : { status, reason: `${status} no` };
    this.act('mta', 'take', { message, to, fault }, answer, type);
    return this;
  }

  refuse(message: string, permanent: boolean, to = `${message}@a.test`): this {
    this.debit(message).refund(message);
    this.act('mta', 'refuse', { message, to, permanent }, { reply: permanent ? '550 no' : '451 later' }, 'ok', 0);
    return this;
  }

  report(message: string, kind: ReportKind, type: Line['type'] = 'ok'): this {
    this.act('mta', 'report', { message, kind }, { reply: '250 ok' }, type);
    return this;
  }

  subscribe(hook: string, events: string[]): this {
    this.act('caller-1', 'subscribe', { workspace: this.workspace, hook, events }, { webhook: 1 });
    return this;
  }

  deliver(
    hook: string,
    message: string,
    event: string,
    { id = `${hook}-${message}-${event}`, status = 200, at = 'now', signed = true } = {},
  ): this {
    this.act(hook, 'deliver', { hook, id, event, message, at, signed }, { status });
    return this;
  }

  read(coins = this.coins): this {
    this.act('caller-2', 'balance', { workspace: this.workspace }, { coins });
    return this;
  }

  state(message: string, state: string, reason: string | null = null, to = `${message}@a.test`): this {
    this.messages.push({ message, to, state, reason });
    return this;
  }

  /** A message from its send to its end, as it should be. */
  whole(message: string, report: ReportKind | null = 'delivered'): this {
    this.send(message).take(message);
    if (report) this.report(message, report);
    if (report === 'delivered' || report === 'complaint') this.state(message, 'delivered');
    else if (report === null)
      this.wait(5 * DAY)
        .refund(message)
        .state(message, 'failed', NO_RECORD);
    else if (report === 'expired') this.refund(message).state(message, 'failed', EXHAUSTED);
    else this.state(message, 'bounced', '550 5.1.1 no');
    if (report && ['unknown', 'disabled', 'complaint'].includes(report)) this.penalty(message);
    return this;
  }

  final(): Line[] {
    const { coins, messages, ledger } = this;
    this.act('operator', 'final', { workspace: this.workspace }, { coins, messages, ledger });
    return this.lines;
  }
}

export const ALL = ['delivered', 'bounce', 'complaint', 'open', 'click'];

/** A message that is retried for three days. */
export function retried(play: Play, lastAt = 3 * DAY): Play {
  play.send('m');
  const begin = play.t;
  for (const minutes of [0, 1, 3, 8, 18, 38, 68]) play.wait(begin + minutes * MINUTE - play.t).refuse('m', false);
  while (play.t + HOUR < begin + lastAt) play.wait(HOUR).refuse('m', false);
  if (lastAt > 2 * DAY) play.wait(begin + lastAt - play.t).refuse('m', false);
  return play.state('m', 'failed', EXHAUSTED);
}

/** One free account, `count` mails, `gap` ms apart. */
export function paced(count: number, gap: number, { isFree = true, pause = 0 } = {}): Play {
  const play = new Play(1, { coins: 5_000, isFree });
  for (let i = 0; i < count; i += 1) play.send(`p${i}`);
  play.wait(pause);
  for (let i = 0; i < count; i += 1) play.take(`p${i}`).wait(gap - 10);
  for (let i = 0; i < count; i += 1) play.report(`p${i}`, 'delivered').state(`p${i}`, 'delivered');
  return play;
}

/** A workspace with a hook for all events. */
export const hooked = (): Play => new Play().subscribe('h', ALL);

/** A hook that fails again and again, with these waits, in seconds. */
export function failing(waits: readonly number[]): Play {
  const play = hooked().whole('m').deliver('h', 'm', 'delivered', { status: 500 });
  for (const seconds of waits) play.wait(seconds * 1_000 - 10).deliver('h', 'm', 'delivered', { status: 500 });
  return play;
}

/** A hook that answers 11 seconds after it was called; meanwhile something may happen. */
export function answeredLate(meanwhile: (play: Play) => Play): Play {
  const play = hooked().whole('m');
  const value = { hook: 'h', id: 'h-m', event: 'delivered', message: 'm', at: 'now', signed: true };
  const n = play.tell('h', 'deliver', value);
  meanwhile(play.wait(8_000)).wait(3_000).end('h', 'deliver', n, 'ok', { status: 200 });
  return play;
}
