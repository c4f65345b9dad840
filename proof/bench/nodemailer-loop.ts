import { createPrivateKey } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { plainMails, trackedMails } from './loop-mail';
import type { SampleName } from './sample-mail';
import { monotonic } from './time';

export interface LoopOptions {
  /** Port of the sending server, on 127.0.0.1. */
  port: number;
  mails: number;
  connections: number;
  sample: SampleName;
  /** PEM of an RSA-2048 key; null: the mails are not signed. */
  privateKey: string | null;
  /**
   * `careful`: as a good engineer writes it, with the key read once, 40 mails in hand, and mails like ours. `plain`: as
   * in the manual of nodemailer, with the key as PEM, which is read again for each mail, all mails at once, and mails
   * without footer and tracking.
   */
  how: 'careful' | 'plain';
}

/** Mails in hand: enough to keep every connection busy, and few enough for flat memory. */
const IN_HAND = 40;

/**
 * What a program without Kurir would do: a pooled nodemailer transport that builds and signs each mail, and stores
 * nothing. Returns the monotonic time of the first call.
 */
export async function sendByNodemailer(options: LoopOptions): Promise<number> {
  const { port, mails, connections, privateKey, sample, how } = options;
  const careful = how === 'careful';
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages: Infinity,
    ...(privateKey !== null && {
      dkim: {
        domainName: 'loop.example',
        keySelector: 'bench',
        privateKey: careful ? createPrivateKey(privateKey) : privateKey,
      },
    }),
  });
  const mailTo = careful ? trackedMails(sample) : plainMails(sample);
  const startedAt = monotonic();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < mails) await transport.sendMail(mailTo(next++));
  };
  await Promise.all(Array.from({ length: careful ? IN_HAND : mails }, work));
  transport.close();
  return startedAt;
}
