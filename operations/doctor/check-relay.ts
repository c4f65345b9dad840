import { readFile } from 'node:fs/promises';
import { checkPair, type CertificateFacts } from '../../lib/certificate';
import { DAY } from '../../lib/clock';
import { formatDuration } from '../../lib/duration';
import type { Config } from '../config/config';
import { listenAddress, LOOPBACK } from '../config/origin';
import type { RunningService } from '../installation/running-file';
import { wallTime } from '../../lib/advancing-clock';
import type { Check } from './check';
import { certificateOf } from './relay-certificate';

const CHECK = 'smtp relay';
/** A certificate that is renewed by itself is new long before. */
const SOON = 14 * DAY;

/**
 * Looks at the SMTP relay: while it runs, its port with EHLO and STARTTLS; and the end of its certificate, which is
 * read from its files where the relay runs elsewhere.
 */
export async function checkRelay(config: Config, running: RunningService | null): Promise<Check[]> {
  const port = running?.ports.smtp;
  const files = config.smtpTls ?? config.tls;
  if (port === undefined && (files === null || !config.roles.includes('smtp'))) return [];
  try {
    const facts = port === undefined ? await factsOf(files) : await certificateOf(outside(config), port);
    return facts ? [judge(facts, port === undefined ? 'not running here' : 'STARTTLS works')] : [];
  } catch (error) {
    return [{ check: CHECK, status: 'wrong', detail: (error as Error).message }];
  }
}

function outside(config: Config): string {
  const host = listenAddress(config);
  return host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host;
}

async function factsOf(files: Config['tls']): Promise<CertificateFacts | null> {
  if (!files) return null;
  const [cert, key] = await Promise.all([readFile(files.certFile, 'utf8'), readFile(files.keyFile, 'utf8')]);
  return checkPair({ cert, key });
}

function judge({ fingerprint, validTo }: CertificateFacts, state: string): Check {
  const left = validTo - wallTime();
  const day = new Date(validTo).toISOString().slice(0, 10);
  if (left <= 0) return { check: CHECK, status: 'wrong', detail: `its certificate expired on ${day}` };
  const detail = `${state}; certificate valid until ${day}, SHA-256 ${fingerprint}`;
  if (left > SOON) return { check: CHECK, status: 'ok', detail };
  return { check: CHECK, status: 'note', detail: `${detail}: renew it, it expires in ${formatDuration(left)}` };
}
