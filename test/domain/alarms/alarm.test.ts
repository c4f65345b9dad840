import { describe, expect, it } from '@jest/globals';
import { nextStep, noticeId, type Alarm, type Trouble } from '../../../domain/alarms/alarm';
import { DAY, HOUR, MINUTE } from '../../../lib/clock';
import { TEST_START as NOW } from '../../support/clock';

const trouble: Trouble = {
  kind: 'blocklist',
  subject: '203.0.113.7 list.example',
  workspaceId: null,
  text: 'It is in.',
};

/** What is said over time: `seen` says at which times the trouble is found. */
function play(until: number, every: number, seen: (at: number) => boolean): string[] {
  const said: string[] = [];
  let alarm: Alarm | null = null;
  for (let at = 0; at <= until; at += every) {
    const step = nextStep(alarm, seen(at) ? trouble : null, NOW + at);
    if (!step) continue;
    alarm = step.alarm;
    if (step.event) said.push(`${step.event} ${at / HOUR}`);
  }
  return said;
}

describe('an alarm', () => {
  it('is raised once, said again once a day, and ended after an hour without it', () => {
    expect(play(3 * DAY, 5 * MINUTE, (at) => at <= 50 * HOUR)).toEqual([
      'raised 0',
      'repeated 24',
      'repeated 48',
      'ended 51',
    ]);
  });

  it('that comes and goes within the hour is said once', () => {
    expect(play(20 * HOUR, 5 * MINUTE, (at) => at % (30 * MINUTE) === 0 && at < 10 * HOUR)).toEqual([
      'raised 0',
      'ended 10.5',
    ]);
  });

  it('that comes back after its end is raised anew', () => {
    expect(play(9 * HOUR, HOUR, (at) => at === 0 || at === 5 * HOUR)).toEqual([
      'raised 0',
      'ended 1',
      'raised 5',
      'ended 6',
    ]);
  });

  it('keeps what was found last, and says nothing of it', () => {
    const { alarm } = nextStep(null, trouble, NOW)!;
    const later = nextStep(alarm, { ...trouble, text: 'It still is.' }, NOW + HOUR)!;
    expect(later).toMatchObject({ event: null, alarm: { text: 'It still is.', raisedAt: NOW, seenAt: NOW + HOUR } });
  });

  it('says each notice under an id of its own, the same for whoever says it', () => {
    const raised = nextStep(null, trouble, NOW)!.alarm;
    const again = nextStep(raised, trouble, NOW + DAY)!.alarm;
    const [other] = [nextStep(null, { ...trouble, subject: 'other' }, NOW)!.alarm];
    expect(noticeId(nextStep(null, trouble, NOW + 1)!.alarm)).toBe(noticeId(raised));
    expect(new Set([raised, again, other].map(noticeId)).size).toBe(3);
    expect(noticeId(raised)).toMatch(/^[0-9a-f]{32}$/);
  });
});
