import type { Dispatcher } from 'undici';
import { AnswerText } from './answer-text';

/** At most this much of an answer's body is read, bytes (docs/contract.md#webhook-delivery). */
const MAX_BODY = 65_536;

/** The answer of an endpoint: its status, and the beginning of its body. */
export interface Answered {
  status: number;
  text: string;
}

/** `isComplete`: the body was read to its end. */
export type Reading = { answer: Answered; isComplete: boolean } | { error: Error };

/** Reads one answer. Once its headers are there it counts, even if its body is too long, too slow or broken. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  private status: number | null = null;
  private isSettled = false;
  private readonly body = new AnswerText();

  /** `settle` is called once. */
  constructor(private readonly settle: (reading: Reading) => void) {}

  // Undici takes a handler without it for one of its older kind.
  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // Answers below 200 come before the real one.
    if (status >= 200) this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isSettled) return;
    this.body.add(chunk);
    if (this.body.size >= MAX_BODY) this.end(false);
  }

  onResponseEnd(): void {
    this.end(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.stop(error);
  }

  /** Ends the reading: with the answer as far as it was read, or with the error when there is none. */
  stop(error: Error): void {
    if (this.status === null) this.finish({ error });
    else this.end(false);
  }

  private end(isComplete: boolean): void {
    if (this.status !== null) this.finish({ answer: { status: this.status, text: this.body.text() }, isComplete });
  }

  private finish(reading: Reading): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.settle(reading);
  }
}
