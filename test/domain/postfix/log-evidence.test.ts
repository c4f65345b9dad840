import { describe, expect, test } from '@jest/globals';
import { DAY, MINUTE, SECOND } from '../../../lib/clock';
import { LogEvidence } from '../../../domain/postfix/log-evidence';
import type { LogLine } from '../../../domain/postfix/read-log-line';

const MAIL = '019aaf00-0000-7000-8000-0123456789ab';
const OTHER = '019aaf00-0000-7000-8000-0123456789ac';
const START = Date.UTC(2026, 10, 23);
const FENCED = START + MINUTE;
const LATER = FENCED + 5 * MINUTE;

type Said = LogLine extends infer L ? (L extends LogLine ? Omit<L, 'at'> : never) : never;
const opened = (queueId: string, pid = '1'): Said => ({ kind: 'opened', pid, queueId });
const named = (queueId: string, id = MAIL): Said => ({ kind: 'named', queueId, messageId: `${id}@toko.test` });
const queued = (queueId: string, id = MAIL): Said => ({ kind: 'queued', queueId, sender: id });
const cut = (pid = '1'): Said => ({ kind: 'cut', pid });
const closed = (pid = '1'): Said => ({ kind: 'closed', pid });

/** A mail that another connection handed over at the same time: the log is that of our server. */
const ANOTHER = [opened('Z', '9'), named('Z', OTHER), queued('Z', OTHER), closed('9')];

function after(lines: readonly Said[], at = FENCED): LogEvidence {
  const evidence = new LogEvidence((sender) => sender, { older: START, newer: START });
  for (const line of lines) evidence.read({ ...line, at }, at);
  return evidence;
}
const judge = (evidence: LogEvidence, readTo = LATER): string => evidence.judge(MAIL, FENCED, readTo);

describe('a hand-off of a mail with the Message-ID of its caller', () => {
  const FOREIGN = '6f9619ff-8b86-7011-b42d-00c04fc964ff';
  const judgeOther = (lines: readonly Said[], readTo = LATER): string => after(lines).judge(MAIL, FENCED, readTo, true);

  test('was taken by its return path, and not taken when the log was silent, or its client went away', () => {
    expect(judgeOther([opened('A'), named('A', FOREIGN), queued('A')])).toBe('taken');
    expect(judgeOther(ANOTHER)).toBe('not_taken');
    expect(judgeOther([...ANOTHER, opened('A'), named('A', FOREIGN), cut(), closed()])).toBe('not_taken');
    expect(judgeOther([...ANOTHER, opened('A'), cut(), closed(), named('A', FOREIGN)])).toBe('not_taken');
  });

  test('is unclear while a mail under any name is being received, or was read and not queued', () => {
    expect(judgeOther([...ANOTHER, opened('A'), named('A', FOREIGN)])).toBe('unclear');
    expect(judgeOther([...ANOTHER, opened('A'), named('A', FOREIGN), closed()])).toBe('unclear');
    expect(judgeOther([...ANOTHER, opened('A'), named('A', OTHER), closed()])).toBe('unclear');
    expect(judgeOther([...ANOTHER, opened('A'), named('A', 'x'), closed()])).toBe('unclear');
    expect(judgeOther([...ANOTHER, opened('A'), named('A', FOREIGN), queued('A', 'x'), closed()])).toBe('not_taken');
  });

  test('is unclear when Postfix was started since', () => {
    expect(judgeOther([...ANOTHER, { kind: 'started' }], LATER + DAY)).toBe('unclear');
  });
});

describe('a hand-off without an answer', () => {
  test('was taken when the queue manager names its return path, at once', () => {
    expect(judge(after([opened('A'), named('A'), queued('A')]), FENCED + SECOND)).toBe('taken');
  });

  test('was not taken when five minutes later the log never names it', () => {
    const evidence = after(ANOTHER);
    expect(judge(evidence, LATER - 1)).toBe('unclear');
    expect(judge(evidence)).toBe('not_taken');
  });

  test('was not taken when its client went away before the final dot, in whatever order that is logged', () => {
    expect(judge(after([opened('A'), named('A'), cut(), closed()]))).toBe('not_taken');
    expect(judge(after([opened('A'), cut(), closed(), named('A')]))).toBe('not_taken');
    expect(judge(after([...ANOTHER, opened('A'), cut(), closed()]))).toBe('not_taken');
  });

  test('is unclear when Postfix read its headers and says no more', () => {
    expect(judge(after([opened('A'), named('A'), closed()]))).toBe('unclear');
    expect(judge(after([opened('A'), named('A'), cut(), opened('B'), named('B'), closed()]))).toBe('unclear');
  });

  test('is unclear while any mail without a name is still being received', () => {
    const evidence = after([...ANOTHER, opened('B', '2')]);
    expect(judge(evidence)).toBe('unclear');
    expect(judge(evidence, FENCED + 21 * MINUTE)).toBe('not_taken');
    expect(judge(after([...ANOTHER, opened('B', '2'), named('B', OTHER)]))).toBe('not_taken');
  });

  test('is unclear when the log began later, or has a gap since', () => {
    expect(after(ANOTHER).judge(MAIL, START + SECOND, LATER)).toBe('unclear');
    const evidence = after(ANOTHER);
    evidence.restart(FENCED + MINUTE);
    for (const line of ANOTHER) evidence.read({ ...line, at: FENCED + MINUTE }, FENCED + MINUTE);
    expect(judge(evidence, LATER + MINUTE)).toBe('unclear');
    expect(judge(after([...ANOTHER, { kind: 'lines_lost' }]))).toBe('unclear');
  });

  test('is unclear when nothing shows that the log is that of our server', () => {
    expect(judge(after([]))).toBe('unclear');
    expect(judge(after([opened('Q'), { ...named('Q'), messageId: 'x' } as Said, closed()]))).toBe('unclear');
  });

  test('is unclear when the log of our server was not written any more when the mail was sent', () => {
    const evidence = after(ANOTHER, FENCED - 10 * MINUTE);
    expect(judge(evidence)).toBe('unclear');
    // Lines that were written before the hand-off, and then none: it may be late.
    evidence.read({ ...opened('Q', '9'), at: FENCED - 30 * SECOND }, FENCED);
    evidence.read({ ...closed('9'), at: FENCED - 30 * SECOND }, FENCED);
    expect(judge(evidence)).toBe('unclear');
    evidence.read({ ...closed('9'), at: FENCED }, FENCED);
    expect(judge(evidence)).toBe('not_taken');
  });

  test('is unclear for a day after the log did not name a mail that the server took', () => {
    const evidence = after(ANOTHER);
    evidence.doubt(FENCED);
    const judged = (at: number): string => {
      for (const line of ANOTHER) evidence.read({ ...line, at }, at);
      return evidence.judge(MAIL, at, at + 5 * MINUTE);
    };
    expect(judged(FENCED + 60 * MINUTE)).toBe('unclear');
    expect(judged(FENCED + DAY)).toBe('not_taken');
  });

  test('is unclear while a mail with a changed Message-ID is being received', () => {
    const strange = { ...named('B'), messageId: 'other@toko.test' } as Said;
    expect(judge(after([...ANOTHER, opened('B', '2'), strange]))).toBe('unclear');
    expect(judge(after([...ANOTHER, opened('B', '2'), strange, queued('B', OTHER)]))).toBe('not_taken');
  });

  test('is settled over two generations, and not after the third', () => {
    const evidence = after(ANOTHER);
    evidence.renew(FENCED + 2 * MINUTE);
    expect(judge(evidence)).toBe('not_taken');
    evidence.renew(FENCED + 3 * MINUTE);
    expect(judge(evidence)).toBe('unclear');
  });

  test.each([
    ['without a name', [opened('A')]],
    ['with its name read', [opened('A'), named('A')]],
  ])('that was open %s when Postfix was killed was not taken, five minutes after the next start', (_when, lines) => {
    const evidence = after([...ANOTHER, ...lines]);
    const started = FENCED + 2 * MINUTE;
    evidence.read({ kind: 'started', at: started }, started);
    expect(judge(evidence, started + 5 * MINUTE - 1)).toBe('unclear');
    expect(judge(evidence, started + 5 * MINUTE)).toBe('not_taken');
    evidence.read({ ...queued('A'), at: started }, started);
    expect(judge(evidence, started + 5 * MINUTE)).toBe('taken');
  });

  test('with its name read stays unclear after a start while the queue manager may have no room', () => {
    const evidence = after([...ANOTHER, opened('A'), named('A'), { kind: 'started' }]);
    const tell = (line: Said): unknown => evidence.read({ ...line, at: FENCED }, FENCED);
    for (let n = 0; n < 100; n += 1) tell(queued(`Q${n}`, OTHER));
    expect(judge(evidence)).toBe('unclear');
    tell({ kind: 'removed', queueId: 'Q7' });
    expect(judge(evidence)).toBe('not_taken');
    tell(opened('A', '5'));
    tell(named('A', OTHER));
    expect(judge(evidence)).toBe('unclear');
  });

  test('a queue id that is used again is no longer that of a mail that was cut', () => {
    expect(judge(after([opened('A'), named('A'), cut(), opened('A'), named('A', OTHER), queued('A', OTHER)]))).toBe(
      'unclear',
    );
  });
});

describe('a delivery that was put off', () => {
  const deferred = { kind: 'deferred', queueId: 'A', text: '4.4.1 no' } as const;

  test('belongs to the message whose return path the queue manager named', () => {
    const evidence = after([queued('A')]);
    expect(evidence.read({ ...deferred, at: null }, FENCED)).toEqual({ messageId: MAIL, text: '4.4.1 no' });
  });

  test('belongs to none once its mail was removed, or when it is not ours', () => {
    expect(after([queued('A'), { kind: 'removed', queueId: 'A' }]).read({ ...deferred, at: null }, FENCED)).toBeNull();
    expect(after([]).read({ ...deferred, at: null }, FENCED)).toBeNull();
  });
});
