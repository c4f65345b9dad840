import { join } from 'node:path';
import { inlineMailReader, type MailReader } from '../../smtp/relay/mail/mail-reader';
import { WorkerMailReader } from '../../smtp/relay/mail/worker-mail-reader';
import { createSubmissionPolicy } from '../../smtp/relay/policy';
import type { Login } from '../../smtp/relay/policy/policy-deps';
import type { SubmissionPolicy } from '../../smtp/relay/protocol/policy';
import { sleep } from '../../lib/sleep';
import type { Services } from '../shared-services';

/** Reads mails of the relay, large ones in a thread where there is a program for it. */
export function openMailReader({ programs, logger }: Services): MailReader {
  if (programs === null) return inlineMailReader;
  return new WorkerMailReader(join(programs, 'mail-worker.js'), (err) =>
    logger.error({ err }, 'the mail worker stopped; the next large message starts a new one'),
  );
}

/** What the relay decides, on the engine of this process. */
export function openSubmissionPolicy(services: Services, reader: MailReader): SubmissionPolicy<Login> {
  const { engine, keyring, clock, newId, rateLimiter, publicUrl, logger } = services;
  const { stores, log } = engine;
  return createSubmissionPolicy({
    stores,
    log,
    keyring,
    clock,
    newId,
    rateLimiter,
    mayAct: services.mayAct,
    publicUrl,
    logger,
    read: (content) => reader.read(content),
    sleep: (ms) => sleep(ms),
  });
}
