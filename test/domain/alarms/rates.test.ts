import { describe, expect, it } from '@jest/globals';
import { judgeRates, ratesTime } from '../../../domain/alarms/rates';
import { hourOf } from '../../../domain/engagement/engagement';
import type { MessageHour } from '../../../domain/messages/message-hour';
import { HOUR } from '../../../lib/clock';
import { TEST_START as NOW } from '../../support/clock';

const WORKSPACE = { id: 7, name: 'Melati' };
const hour = (back: number, counts: Partial<MessageHour>): MessageHour => ({
  hour: hourOf(NOW) - back * HOUR,
  queued: 0,
  sending: 0,
  sent_to_mta: 0,
  delivered: 0,
  bounced: 0,
  failed: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  openedByPeople: 0,
  clickedByPeople: 0,
  ...counts,
});
const raised = (hours: MessageHour[], hard = 0): string[] =>
  judgeRates(WORKSPACE, hours, hard, NOW).map(({ kind }) => kind);

describe('complaints', () => {
  it('above 0.1 % of the mail delivered in a day raise an alarm', () => {
    expect(
      raised([hour(0, { delivered: 1_000, complained: 1 }), hour(5, { delivered: 1_000, complained: 1 })]),
    ).toEqual([]);
    expect(judgeRates(WORKSPACE, [hour(0, { delivered: 2_000, complained: 3 })], 0, NOW)).toMatchObject([
      { kind: 'complaints', subject: '7', workspaceId: 7, text: expect.stringContaining('0.15 %') },
    ]);
  });

  it('are those of each of the last three days', () => {
    expect(raised([hour(50, { delivered: 2_000, complained: 3 }), hour(1, { delivered: 9_000 })])).toEqual([
      'complaints',
    ]);
    expect(raised([hour(72, { delivered: 2_000, complained: 3 })])).toEqual([]);
  });

  it('of few mails are no rate', () => {
    expect(raised([hour(0, { delivered: 999, complained: 10 })])).toEqual([]);
  });
});

describe('hard bounces', () => {
  it('above 2 % of the mail sent in the last day raise an alarm', () => {
    const sent = [hour(3, { delivered: 150, bounced: 30, sent_to_mta: 20 })];
    expect(raised(sent, 4)).toEqual([]);
    expect(raised(sent, 5)).toEqual(['hard_bounces']);
  });

  it('of few mails are no rate: one of three is no alarm', () => {
    expect(raised([hour(0, { delivered: 2, bounced: 1 })], 1)).toEqual([]);
  });

  it('are counted since the beginning of the day whose mail they are compared with', () => {
    const { from, to, hardSince } = ratesTime(NOW);
    expect([to - hardSince, to - from]).toEqual([24 * HOUR, 72 * HOUR]);
    expect(hourOf(hardSince)).toBe(hardSince);
  });
});
