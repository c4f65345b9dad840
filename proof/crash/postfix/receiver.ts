import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Dialogue, type Envelope } from '../sink/dialogue';

/** How the server treats mail for a recipient: the reply to RCPT in its n-th try (1 = the first), null to accept. */
export type Script = (to: string, n: number) => string | null;

/** A recipients' server that does what it is told, and keeps what it took. */
export class Receiver {
  /** The id of each mail it took, as often as it took it, by the header X-Message-id. */
  readonly taken: string[] = [];
  /** When each was taken, real time, ms. */
  readonly takenAt: number[] = [];
  private readonly envelopes = new Map<string, Envelope>();
  private readonly tries = new Map<string, number>();
  private readonly server = createServer((socket) => void new Dialogue(socket, this));

  constructor(
    private readonly script: Script = () => null,
    private readonly onMail: (id: string, to: string) => void = () => undefined,
  ) {}

  /** Listens on 127.0.0.1 and returns the port. */
  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  recipient({ to }: Envelope): string | null {
    const n = (this.tries.get(to) ?? 0) + 1;
    this.tries.set(to, n);
    return this.script(to, n);
  }

  mail(envelope: Envelope, source: Buffer): Promise<string> {
    const id = /^x-message-id:\s*(\S+)/im.exec(source.toString('latin1'))?.[1] ?? '';
    this.taken.push(id);
    this.onMail(id, envelope.to);
    this.takenAt.push(Date.now());
    this.envelopes.set(id, envelope);
    return Promise.resolve('250 2.0.0 taken');
  }

  /** The envelope of a mail it took. */
  envelopeOf(id: string): Envelope | undefined {
    return this.envelopes.get(id);
  }

  close(): void {
    this.server.close();
  }
}
