import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { giveUpAt } from './limits';

/** A sending server that answers one mail at a time, in the order of their arrival: it is as slow as a test wants. */
export class Turnstile {
  /** The recipients of the mails that arrived whole, in order. */
  readonly arrived: string[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, { envelope }, done) => {
      stream.resume().on('end', () => {
        this.arrived.push(...envelope.rcptTo.map(({ address }) => address));
        this.waiting.push(() => done());
      });
    },
  });
  private passing = true;
  private isOpen = true;
  private passes: Promise<void> = Promise.resolve();

  /** Lets one mail pass each `every` ms. */
  static async start(every: number): Promise<Turnstile> {
    const turnstile = new Turnstile();
    turnstile.server.on('error', () => undefined);
    turnstile.server.listen(0, '127.0.0.1');
    await once(turnstile.server.server, 'listening');
    turnstile.passes = turnstile.pass(every);
    return turnstile;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Answers no mail until it is opened. */
  hold(): void {
    this.isOpen = false;
  }

  /** Answers again. Mail that came while it was held gets no answer: its client is gone. */
  open(): void {
    this.waiting.splice(0);
    this.isOpen = true;
  }

  async until(what: string, holds: (arrived: readonly string[]) => boolean): Promise<void> {
    for (const end = giveUpAt(); !holds(this.arrived);) {
      if (performance.now() > end) throw new Error(`waited for ${what}; ${this.arrived.length} mails arrived`);
      await pause(5);
    }
  }

  async stop(): Promise<void> {
    this.passing = false;
    await this.passes;
    for (const answer of this.waiting.splice(0)) answer();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async pass(every: number): Promise<void> {
    while (this.passing) {
      if (this.isOpen) this.waiting.shift()?.();
      await pause(every);
    }
  }
}
