import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';

/** How long Postfix keeps a mail and a report in its queue, and when it reports a delay (0: never); ms. */
export interface QueueSettings {
  maximal_queue_lifetime: number;
  bounce_queue_lifetime: number;
  delay_warning_time: number;
}

const UNITS = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY } as const;
/** The unit of a number without one, by setting (postconf(5)). */
const DEFAULT_UNITS = { maximal_queue_lifetime: 'd', bounce_queue_lifetime: 'd', delay_warning_time: 'h' } as const;
const PATIENCE = 5_000;
/** Postfix lives where only root looks for programs. */
const PROGRAMS = ['postconf', '/usr/sbin/postconf', '/usr/local/sbin/postconf'];

/** The settings of the Postfix of this host, or null where there is none that can be asked. Never rejects. */
export async function readQueueSettings(programs: readonly string[] = PROGRAMS): Promise<QueueSettings | null> {
  const args = ['-x', ...Object.keys(DEFAULT_UNITS)];
  for (const program of programs) {
    try {
      const { stdout } = await promisify(execFile)(program, args, { timeout: PATIENCE });
      return parseQueueSettings(stdout);
    } catch {
      // It is not there, or may not be asked.
    }
  }
  return null;
}

/** Reads what `postconf` prints; null when a setting is missing or is no time. */
export function parseQueueSettings(printed: string): QueueSettings | null {
  const values = new Map(
    [...printed.matchAll(/^(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]),
  );
  const time = (name: keyof QueueSettings): number => {
    const [, count, unit = DEFAULT_UNITS[name]] = /^(\d+)([smhdw])?$/.exec(values.get(name) ?? '') ?? [];
    return Number(count) * UNITS[unit as keyof typeof UNITS];
  };
  const settings = {
    maximal_queue_lifetime: time('maximal_queue_lifetime'),
    bounce_queue_lifetime: time('bounce_queue_lifetime'),
    delay_warning_time: time('delay_warning_time'),
  };
  return Object.values(settings).some(Number.isNaN) ? null : settings;
}
