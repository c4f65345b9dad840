import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { SAMPLE } from './sample-mail';
import { monotonic } from './time';

export interface LoopOptions {
  /** Port of the sending server, on 127.0.0.1. */
  port: number;
  mails: number;
  connections: number;
  /** PEM of an RSA-2048 key. */
  privateKey: string;
}

/**
 * What a program without Kurir would do: one pooled nodemailer transport that builds and signs each mail.
 * Returns the monotonic time of the first call.
 */
export async function sendByNodemailer({ port, mails, connections, privateKey }: LoopOptions): Promise<number> {
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages: Infinity,
    dkim: { domainName: 'loop.example', keySelector: 'bench', privateKey },
  });
  const startedAt = monotonic();
  const one = async (n: number): Promise<void> => {
    await transport.sendMail({
      from: { name: 'Bench', address: 'no-reply@loop.example' },
      to: { name: '', address: `r${n}@recipient.example` },
      subject: SAMPLE.subject,
      html: SAMPLE.html,
      text: SAMPLE.text,
      headers: { 'X-Message-id': randomUUID(), 'List-Unsubscribe': '<https://loop.example/u/1>' },
    });
  };
  await Promise.all(Array.from({ length: mails }, (_, n) => one(n)));
  transport.close();
  return startedAt;
}
