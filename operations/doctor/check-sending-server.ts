import { open } from 'node:fs/promises';
import { isLoopback } from '../../lib/loopback';
import { unnamedServers } from '../../domain/sending/server-routes';
import { formatDuration } from '../../lib/duration';
import type { Config } from '../config/config';
import { publicUrlFault } from '../config/origin';
import type { Check } from './check';
import { readQueueSettings, type QueueSettings } from './postfix-settings';
import { greet } from './probe-ports';

const CHECK = 'sending server queue';

/** Checks that recipients can open what mails link to. */
export function checkPublicUrl(config: Pick<Config, 'publicUrl' | 'mtaUrl'>): Check[] {
  if (config.mtaUrl === null) return [];
  const fault = publicUrlFault(config);
  return [
    { check: 'public address', status: fault === null ? 'ok' : 'wrong', detail: String(fault ?? config.publicUrl) },
  ];
}

/** Checks that the log of the sending server, if it is to be followed, can be read from here. */
export async function checkPostfixLog({ postfixLog: path }: Pick<Config, 'postfixLog'>): Promise<Check[]> {
  if (path === null) return [];
  const check = 'log of the sending server';
  try {
    await (await open(path, 'r')).close();
    return [{ check, status: 'ok', detail: `${path} is readable` }];
  } catch (error) {
    const detail = `KURIR_POSTFIX_LOG cannot be read: ${(error as Error).message}`;
    return [{ check, status: 'wrong', detail }];
  }
}

/**
 * Checks each sending server, unless it is the sandbox: that it answers, and that it gives mail up before
 * `KURIR_EVIDENCE_WAIT` ends. How long it keeps mail can be read only from a Postfix on this host; `readSettings` does.
 */
export async function checkSendingServers(
  { mtaServers, mtaRoutes, evidenceWait }: Pick<Config, 'mtaServers' | 'mtaRoutes' | 'evidenceWait'>,
  readSettings: () => Promise<QueueSettings | null> = readQueueSettings,
): Promise<Check[]> {
  const rows = await Promise.all(mtaServers.map(({ url }) => checkServer(url, evidenceWait, readSettings)));
  if (rows.length <= 1) return rows.flat();
  const unnamed = unnamedServers(mtaServers, mtaRoutes);
  return rows.flatMap((checks, n) => {
    const name = mtaServers[n]?.name ?? '';
    const own = unnamed.includes(name) ? [...checks, UNNAMED] : checks;
    return own.map((row) => ({ ...row, detail: `${name}: ${row.detail}` }));
  });
}

const UNNAMED: Check = {
  check: 'sending server',
  status: 'note',
  detail:
    'used for warm-ups only, because no rule in KURIR_MTA_ROUTES names it; add fallback=NAME to use it when another server fails',
};

async function checkServer(
  mtaUrl: string,
  evidenceWait: number,
  readSettings: () => Promise<QueueSettings | null>,
): Promise<Check[]> {
  const url = new URL(mtaUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (secure ? 465 : 25);
  const { fault, greeting } = await greet(secure ? 'smtps' : 'smtp', host, port);
  const detail = fault === null ? `${host}:${port} answers` : `${host}:${port} does not answer: ${fault}`;
  const answers: Check = { check: 'sending server', status: fault === null ? 'ok' : 'wrong', detail };
  if (fault !== null) return [answers];
  const settings = isLoopback(host) && /postfix/i.test(greeting) ? await readSettings() : null;
  return [answers, ...(settings ? judge(settings, evidenceWait) : [advice(evidenceWait)])];
}

function judge(
  { maximal_queue_lifetime, bounce_queue_lifetime, delay_warning_time }: QueueSettings,
  wait: number,
): Check[] {
  const lifetimes = Object.entries({ maximal_queue_lifetime, bounce_queue_lifetime });
  const limit = `KURIR_EVIDENCE_WAIT (${formatDuration(wait)})`;
  const tooLong = lifetimes.filter(([, lifetime]) => lifetime >= wait);
  const told = (tooLong.length > 0 ? tooLong : lifetimes).map(
    ([name, lifetime]) => `${name} = ${formatDuration(lifetime)}`,
  );
  const detail =
    tooLong.length > 0
      ? `Postfix keeps email in its queue too long: ${told.join(', ')}; set both below ${limit} in main.cf`
      : `Postfix gives up before ${limit}: ${told.join(', ')}`;
  const queue: Check = { check: CHECK, status: tooLong.length > 0 ? 'wrong' : 'ok', detail };
  if (delay_warning_time > 0) return [queue];
  return [
    queue,
    { check: CHECK, status: 'note', detail: 'Postfix sends no delay reports: set delay_warning_time = 1h in main.cf' },
  ];
}

const advice = (wait: number): Check => ({
  check: CHECK,
  status: 'note',
  detail: `cannot be read from here: it must give up before KURIR_EVIDENCE_WAIT (${formatDuration(wait)}); Postfix keeps email for 5d by default`,
});
