import type { Acts, Line } from './history';
import type { Finding } from './finding';

export type ActName = keyof Acts;

/** An invocation with its completion. */
export interface Act<F extends ActName = ActName> {
  f: F;
  asked: Line;
  /** Null when there is none. */
  answered: Line | null;
  /** When it was invoked: nothing of it is true before; ms. */
  at: number;
  /** When it was certainly done, or certainly not; Infinity when nobody knows. */
  end: number;
  /** Without a completion it is `info`. */
  result: 'ok' | 'fail' | 'info';
  value: Acts[F][0];
  /** What a completion `ok` said. */
  answer: Acts[F][1] | null;
  /** What a completion `fail` said. */
  refusal: { status: number; reason: string } | null;
}

/** Any act, to be told apart by `f`. */
export type AnyAct = { [F in ActName]: Act<F> }[ActName];

/** An act as it begins. A class, since there are a million of them. */
class Begun {
  readonly f: ActName;
  readonly at: number;
  readonly value: object;
  answered: Line | null = null;
  end = Infinity;
  result = 'info';
  answer: object | null = null;
  refusal: object | null = null;

  constructor(readonly asked: Line) {
    this.f = asked.f;
    this.at = asked.t;
    this.value = asked.value;
  }
}

/** Joins completions to their invocations, line by line. */
export class Pairing {
  readonly acts: AnyAct[] = [];
  /** Lines that do not fit together: the history itself is wrong. */
  readonly problems: Finding[] = [];
  private readonly open = new Map<number, AnyAct>();
  private last = -Infinity;

  add(line: Line): void {
    if (line.t < this.last) this.refuse(line, 'is earlier than the line before it');
    this.last = line.t;
    if (line.type === 'invoke') this.begin(line);
    else this.complete(line);
  }

  private begin(line: Line): void {
    if (this.open.has(line.n)) this.refuse(line, `begins ${line.n} a second time`);
    const act = new Begun(line) as unknown as AnyAct;
    this.acts.push(act);
    this.open.set(line.n, act);
  }

  private complete(line: Line): void {
    const act = this.open.get(line.n);
    if (act?.f !== line.f || act.asked.process !== line.process) {
      this.refuse(line, `completes ${line.n}, which was not begun so`);
      return;
    }
    this.open.delete(line.n);
    act.answered = line;
    act.result = line.type as 'ok' | 'fail' | 'info';
    if (line.type !== 'info') act.end = line.t;
    if (line.type === 'ok') act.answer = line.value as never;
    if (line.type === 'fail') act.refusal = line.value as { status: number; reason: string };
  }

  private refuse(line: Line, text: string): void {
    this.problems.push({ rule: 'history', subject: 'run', text: `${line.process}: a line ${text}.`, lines: [line] });
  }
}
