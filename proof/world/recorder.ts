import type { Acts, Line } from '../judge/history';

type Act = keyof Acts;

/** One act that was begun; exactly one of the three ends it. */
export interface Begun<F extends Act> {
  ok(value: Acts[F][1]): void;
  fail(status: number, reason: string): void;
  info(reason: string): void;
}

/** Writes the history of a run. */
export class Recorder {
  readonly lines: Line[] = [];
  private count = 0;

  constructor(
    private readonly now: () => number,
    private readonly onLine: (line: Line) => void = () => undefined,
  ) {}

  begin<F extends Act>(process: string, f: F, value: Acts[F][0]): Begun<F> {
    const n = (this.count += 1);
    this.write({ t: this.now(), process, type: 'invoke', f, n, value });
    const end = (type: 'ok' | 'fail' | 'info', answer: object): void =>
      this.write({ t: this.now(), process, type, f, n, value: answer });
    return {
      ok: (answer) => end('ok', answer),
      fail: (status, reason) => end('fail', { status, reason }),
      info: (reason) => end('info', { reason }),
    };
  }

  private write(line: Line): void {
    this.lines.push(line);
    this.onLine(line);
  }
}
