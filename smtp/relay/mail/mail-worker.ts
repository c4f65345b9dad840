import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../../lib/serve-jobs';
import type { MailJob, MailResult } from './mail-protocol';
import { readMail } from './read-mail';

/** The worker thread that reads large mails. */
serveJobs<MailJob, MailResult>(parentPort!, async ({ bytes }) => ({
  result: { read: await readMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) },
  transfer: [],
}));
