import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A real SMTP server on loopback that keeps the bytes of what it takes. */
export class SmtpInbox {
  readonly mails: Buffer[] = [];
  /** Whether each mail came over TLS. */
  readonly secure: boolean[] = [];
  private readonly server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.mails.push(Buffer.concat(chunks));
          this.secure.push(Boolean(session.secure));
          done();
        });
      },
      ...options,
    });
    this.server.on('error', () => undefined);
  }

  static async start(options: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] }): Promise<SmtpInbox> {
    const inbox = new SmtpInbox(options);
    await new Promise<void>((resolve) => inbox.server.listen(0, '127.0.0.1', () => resolve()));
    return inbox;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
