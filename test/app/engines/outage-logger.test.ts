import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { outageLogger } from '../../../app/engines/outage-logger';
import { UnavailableError } from '../../../lib/errors';
import { keepingLogger } from '../../support/log-lines';

const TEXT = 'a record could not be processed; trying again';
const away = (message = 'MongoDB cannot be used right now: refused'): { err: Error; key: string } => ({
  err: new UnavailableError(message),
  key: 'k',
});

function calm({ gone = false, told = gone }: { gone?: boolean; told?: boolean } = {}) {
  const logger = keepingLogger();
  const time = { now: 0, looks: 0 };
  const outages = {
    explain: () => told,
    suspect: async () => {
      time.looks += 1;
      return gone;
    },
  };
  return { logger, time, calm: outageLogger(logger, outages, () => time.now) };
}

describe('the logger of a process whose servers may go away', () => {
  it.each([true, false])(
    'while one is gone, what says "not now" is for debugging only (told before: %s)',
    async (told) => {
      const { logger, calm: log } = calm({ gone: true, told });
      for (let n = 0; n < 1_000; n++) log.error(away(), TEXT);
      await nextTurn();
      expect(logger.at('warn', 'error')).toEqual([]);
      expect(logger.at('debug')).toHaveLength(1_000);
    },
  );

  it('while all are there it is told once in half a minute, with the reason, without a trace, and how often it was left out', async () => {
    const { logger, time, calm: log } = calm();
    for (let n = 0; n < 1_000; n++) log.error(away(`port ${n} is busy`), TEXT);
    await nextTurn();
    expect(logger.lines.filter(({ level }) => level !== 'debug')).toEqual([
      { level: 'error', facts: { key: 'k', reason: 'port 0 is busy' }, text: TEXT },
    ]);
    expect(time.looks).toBe(1);
    time.now = 30_000;
    log.error(away('port 5 is busy'), TEXT);
    log.warn(away('another reason'), TEXT);
    await nextTurn();
    expect(logger.lines.filter(({ level }) => level !== 'debug').slice(1)).toEqual([
      { level: 'error', facts: { key: 'k', reason: 'port 5 is busy', omitted: 999 }, text: TEXT },
      { level: 'warn', facts: { key: 'k', reason: 'another reason' }, text: TEXT },
    ]);
  });

  it('every other line passes as it is, whatever is gone', () => {
    const { logger, calm: log } = calm({ gone: true });
    const err = new TypeError('a bug');
    for (let n = 0; n < 3; n++) log.error({ err }, TEXT);
    log.warn({ a: 1 }, 'w');
    log.info({ a: 1 }, 'i');
    expect(logger.at('info', 'warn', 'error')).toEqual([TEXT, TEXT, TEXT, 'w', 'i']);
    expect(logger.lines[0]!.facts).toEqual({ err });
  });
});
