import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import SMTPConnection, { type SMTPEnvelope } from 'nodemailer/lib/smtp-connection';
import { createSandbox } from '../../sandbox/sandbox';
import { frozenClock } from '../support/clock';

/** A report as a listener got it. */
export interface ReceivedReport {
  to: string;
  raw: Buffer;
  text: string;
}

/** A real SMTP server that collects what is sent to it. */
export class ReportCollector {
  readonly reports: ReceivedReport[] = [];
  /** The answer to the next mails: a code of 400 or more refuses. */
  answer: (to: string) => number = () => 250;
  port = 0;
  private readonly server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo[0]?.address ?? '';
        const code = this.answer(to);
        if (code >= 400) return callback(Object.assign(new Error('not now'), { responseCode: code }));
        const raw = Buffer.concat(chunks);
        this.reports.push({ to, raw, text: raw.toString() });
        callback(null);
      });
    },
  });

  async listen(port = 0): Promise<void> {
    this.server.on('error', () => undefined);
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    this.port = (this.server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const connection of this.server.connections) connection.close();
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  /** The fields of the machine-readable part of each report, lower-case names. */
  async fields(): Promise<Record<string, string>[]> {
    return Promise.all(
      this.reports.map(async ({ raw }) => {
        const { attachments } = await PostalMime.parse(raw, {
          forceRfc822Attachments: true,
          attachmentEncoding: 'utf8',
        });
        const part = attachments.find(({ mimeType }) => /delivery-status|feedback-report/.test(mimeType));
        const pairs = (typeof part?.content === 'string' ? part.content : '').matchAll(/^([A-Za-z-]+): (.*)$/gm);
        return Object.fromEntries([...pairs].map(([, name, value]) => [name!.toLowerCase(), value!.trim()]));
      }),
    );
  }

  /** What each report says: its action, or `complaint`. */
  async actions(): Promise<string[]> {
    return (await this.fields()).map((fields) => fields.action ?? (fields['feedback-type'] ? 'complaint' : '?'));
  }
}

export const NOTIFY_ALL = ['SUCCESS', 'FAILURE', 'DELAY'] as const;

/** A client with one connection; `send` answers the deciding reply, also a refusal. */
export class Client {
  private constructor(private readonly connection: SMTPConnection) {}

  static async open(port: number): Promise<Client> {
    const connection = new SMTPConnection({ host: '127.0.0.1', port, name: 'client.test', logger: false });
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    connection.on('error', () => undefined);
    return new Client(connection);
  }

  async send(envelope: SMTPEnvelope, raw: string | Buffer): Promise<string> {
    const reply = await this.attempt(envelope, raw);
    if (!reply.startsWith('250')) await this.reset();
    return reply;
  }

  close(): void {
    this.connection.close();
  }

  private attempt(envelope: SMTPEnvelope, raw: string | Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('The connection ended.'));
      this.connection.once('end', ended);
      this.connection.send(envelope, raw, (error, info) => {
        this.connection.off('end', ended);
        if (!error) resolve(info.response);
        else if (error.responseCode) resolve(error.response ?? '');
        else reject(error);
      });
    });
  }

  private reset(): Promise<void> {
    return new Promise((resolve, reject) => this.connection.reset((error) => (error ? reject(error) : resolve())));
  }
}

/** An envelope as the service uses it. */
export const envelope = (to: string, dsn: NonNullable<SMTPEnvelope['dsn']> | null = {}): SMTPEnvelope => ({
  from: 'b-1@bounce.demo.kurir.test',
  to,
  ...(dsn && { dsn: { notify: [...NOTIFY_ALL], ...dsn } }),
});

export const simpleMail = (messageId: string): string =>
  ['From: Demo <no-reply@demo.kurir.test>', 'Subject: Hello', `X-Message-id: ${messageId}`, '', 'Hi.', ''].join('\r\n');

/** A new directory, and how to remove it. */
export function temporaryDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'kurir-sandbox-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Opens a sandbox that listens, on a file of its own, with a client at it and a collector of its reports. `reportPort`:
 * where these go instead.
 */
export async function openSandbox(reportPort?: () => number) {
  const dir = temporaryDir();
  const [clock, collector] = [frozenClock(), new ReportCollector()];
  await collector.listen();
  const file = join(dir.path, 'sandbox.sqlite');
  const reports = () => ({ host: '127.0.0.1', port: reportPort?.() ?? collector.port });
  const sandbox = createSandbox({ file, clock, port: 0, reports, hostname: 'sandbox.kurir.test' });
  const { port } = await sandbox.listen();
  const client = await Client.open(port);
  const close = async (): Promise<void> => {
    client.close();
    await sandbox.close();
    await collector.close();
    dir.remove();
  };
  return { clock, collector, sandbox, client, port, file, close };
}
