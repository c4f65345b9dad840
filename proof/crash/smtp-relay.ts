import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Moments of the SMTP dialogue with the sending server, in order. */
export type SmtpMoment =
  | 'connected'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | '354 received'
  | 'body half way'
  | 'before the final dot'
  | 'after the final dot'
  | '250 received';

const DOT = Buffer.from('\r\n.\r\n');

/**
 * A relay between the service and its sending server, inside the service process. It forwards every byte up to the
 * given moment, then kills the process. Bytes already forwarded are in the kernel's buffers and still arrive.
 */
export class SmtpRelay {
  private readonly server = createServer((client) => this.serve(client));

  constructor(
    private readonly target: { host: string; port: number },
    /** A function chooses one for each connection; null lets it pass. */
    private readonly moment: SmtpMoment | (() => SmtpMoment | null),
    private readonly die: () => void,
  ) {}

  /** Listens on 127.0.0.1 and returns the port. */
  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
  }

  private serve(client: Socket): void {
    const moment = typeof this.moment === 'function' ? this.moment() : this.moment;
    if (moment === 'connected') return this.die();
    const upstream = connect(this.target.port, this.target.host);
    const passage = new Passage(upstream, moment, this.die);
    client.on('data', (chunk) => passage.fromClient(chunk));
    upstream.on('data', (chunk) => {
      if (passage.fromServer(chunk)) client.write(chunk);
    });
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => other.destroy());
      one.on('end', () => other.end());
      one.on('close', () => other.destroy());
    }
  }
}

/** One relayed connection. */
class Passage {
  private body = false;
  private half = 0;
  private passed = 0;
  /** Held back: bytes that may be the end of the mail, or a command that is not whole yet. */
  private held = Buffer.alloc(0);
  private finished = false;

  constructor(
    private readonly upstream: Socket,
    private readonly moment: SmtpMoment | null,
    private readonly die: () => void,
  ) {}

  fromClient(chunk: Buffer): void {
    if (this.body) return this.passBody(chunk);
    let rest = Buffer.concat([this.held, chunk]).toString('latin1');
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === this.moment) return this.die();
      if (verb === 'MAIL') this.half = Number(/SIZE=(\d+)/i.exec(line)?.[1] ?? 0) / 2;
      this.upstream.write(line, 'latin1');
    }
    this.held = Buffer.from(rest, 'latin1');
  }

  /** True when the reply may be forwarded. */
  fromServer(chunk: Buffer): boolean {
    const code = chunk
      .toString('latin1')
      .split('\r\n')
      .findLast((line) => line !== '')
      ?.slice(0, 3);
    if (code === '354') {
      if (this.moment === '354 received') this.die();
      this.body = true;
    }
    if (this.finished && this.moment === '250 received') this.die();
    return true;
  }

  private passBody(chunk: Buffer): void {
    const all = Buffer.concat([this.held, chunk]);
    const end = all.indexOf(DOT);
    let out = all.subarray(0, end >= 0 ? end : Math.max(0, all.length - DOT.length));
    if (this.moment === 'body half way' && this.passed + out.length >= this.half) {
      out = out.subarray(0, Math.max(0, this.half - this.passed));
      this.upstream.write(out, () => this.die());
      return;
    }
    this.passed += out.length;
    this.upstream.write(out);
    this.held = Buffer.from(all.subarray(out.length));
    if (end < 0) return;
    this.passDot();
    // The next mail may be in the same bytes.
    if (!this.body) this.fromClient(all.subarray(end + DOT.length));
  }

  private passDot(): void {
    if (this.moment === 'before the final dot') return void this.upstream.write('', () => this.die());
    this.body = false;
    this.finished = true;
    this.passed = 0;
    this.held = Buffer.alloc(0);
    this.upstream.write(DOT, () => {
      if (this.moment === 'after the final dot') this.die();
    });
  }
}
