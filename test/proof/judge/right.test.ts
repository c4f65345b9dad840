import { describe, expect, test } from '@jest/globals';
import { judge } from '../../../proof/judge/judge';
import {
  answeredLate,
  DAY,
  failing,
  hooked,
  MINUTE,
  NO_COINS,
  NO_RECORD,
  paced,
  Play,
  retried,
  SUPPRESSED,
} from './play';

describe('a history that is right', () => {
  const right: [string, () => Play][] = [
    ['a mail that arrives', () => new Play().whole('m')],
    [
      'every end of a mail',
      () =>
        (['delivered', 'unknown', 'disabled', 'full', 'blocked', 'spam', 'expired', 'complaint'] as const)
          .reduce((play, kind) => play.whole(kind, kind), new Play())
          .whole('silent', null),
    ],
    [
      'a key that is repeated',
      () =>
        new Play()
          .send('m', { key: 'k-1' })
          .send('m', { key: 'k-1', status: 200 })
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    [
      'a key whose first answer was lost',
      () =>
        new Play()
          .unknownSend('m@a.test', 'k-1')
          .send('m', { key: 'k-1', status: 200 })
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    ['an unknown send that made no message', () => new Play().unknownSend('x@a.test').whole('m')],
    [
      'an unknown send that made one',
      () => new Play().unknownSend('m@a.test').take('m').report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'a mail without an answer that was reported',
      () => new Play().send('m').take('m', { type: 'info' }).report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'a report that nobody answered',
      () =>
        new Play()
          .send('m')
          .take('m')
          .report('m', 'unknown', 'info')
          .report('m', 'delivered')
          .state('m', 'bounced', '550')
          .penalty('m'),
    ],
    [
      'a late bounce',
      () => new Play().send('m').take('m').report('m', 'delivered').report('m', 'full').state('m', 'bounced', '552'),
    ],
    [
      'a report after the end',
      () =>
        new Play()
          .send('m')
          .take('m')
          .wait(5 * DAY)
          .refund('m')
          .report('m', 'delivered')
          .debit('m', 'late')
          .state('m', 'delivered'),
    ],
    ['three days of refusals', () => retried(new Play())],
    ['the same by a clock that was set back', () => retried(new Play().fault('clock'), 3 * DAY - 8 * MINUTE)],
    ['a refusal for good', () => new Play().send('m').refuse('m', true).state('m', 'failed', '550 no')],
    [
      'a refusal after the dot, and a mail',
      () =>
        new Play()
          .send('m')
          .take('m', { type: 'fail' })
          .refund('m')
          .wait(MINUTE)
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    [
      'a refusal that the program forgot as it died',
      () =>
        new Play()
          .send('m')
          .refuse('m', true)
          .fault()
          .wait(1_000)
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    [
      'cut off after the fence',
      () =>
        new Play()
          .send('m')
          .debit('m')
          .fault()
          .wait(5 * DAY)
          .refund('m')
          .state('m', 'failed', NO_RECORD),
    ],
    [
      'a recipient who is blocked before the turn',
      () => {
        const play = new Play().send('m');
        play.act('person', 'block', { workspace: 1, to: 'm@a.test' }, { status: 200 });
        return play.wait(DAY).state('m', 'failed', SUPPRESSED);
      },
    ],
    ['no coins at the turn', () => new Play(1, { coins: 1 }).send('n').whole('m').state('n', 'failed', NO_COINS)],
    [
      'a penalty for a forced send, once a day',
      () =>
        new Play()
          .whole('m', 'unknown')
          .refusedSend('m@a.test', SUPPRESSED)
          .refusedSend('m@a.test', SUPPRESSED)
          .book('penalty:h:suppressed:1', 'penalty', -4, null),
    ],
    [
      'a top-up that is asked for twice',
      () => {
        const play = new Play().whole('m');
        const value = { workspace: 1, coins: 50, reference: 'r' };
        play.act('operator', 'top-up', value, {}, 'info');
        play.act('operator', 'top-up', value, { status: 200 });
        return play.book('topup:r', 'topup', 50, null).read();
      },
    ],
    [
      'reads of the balance',
      () =>
        new Play()
          .read()
          .send('m')
          .read()
          .take('m')
          .read()
          .report('m', 'unknown')
          .penalty('m')
          .read()
          .state('m', 'bounced', '550'),
    ],
    [
      'a hook that hears of everything',
      () => {
        const play = hooked().whole('m', 'complaint');
        play.act('person', 'open', { message: 'm' }, { status: 200 });
        play.act('person', 'click', { message: 'm', link: 0 }, { status: 302 });
        return ['delivered', 'complaint', 'open', 'click'].reduce((all, event) => all.deliver('h', 'm', event), play);
      },
    ],
    ['a hook that fails at first', () => failing([30]).wait(60_000).deliver('h', 'm', 'delivered')],
    ['a hook that never answers', () => failing([30, 60, 90, 120])],
    ['attempts that a fault hid', () => failing([30, 60, 90]).wait(120_000).fault()],
    ['an answer that came late to a program that stood still', () => answeredLate((play) => play.fault('freeze'))],
    ['a free account at its rate', () => paced(300, 6_000)],
    ['a premium account', () => paced(400, 50, { isFree: false })],
  ];
  test.each(right)('%s', async (_name, make) => {
    expect((await judge(make().final())).findings).toEqual([]);
  });
});
