import { describe, expect, test } from '@jest/globals';
import { judge } from '../../../proof/judge/judge';
import {
  answeredLate,
  DAY,
  failing,
  HOUR,
  hooked,
  MINUTE,
  NO_COINS,
  NO_RECORD,
  paced,
  Play,
  retried,
  SUPPRESSED,
} from './play';

/** The rules that a history breaks, each once, in order of their names. */
async function broken(play: Play): Promise<string[]> {
  const { findings } = await judge(play.final());
  return [...new Set(findings.map(({ rule }) => rule))].sort();
}

describe('a history that breaks a rule', () => {
  const wrong: [string, string[], () => Play][] = [
    ['a message that is lost', ['lost'], () => new Play().send('m')],
    [
      'a key with two messages',
      ['key', 'repeat'],
      () =>
        new Play()
          .send('m', { key: 'k-1' })
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered')
          .send('n', { key: 'k-1', to: 'm@a.test' })
          .take('n', { to: 'm@a.test' })
          .report('n', 'delivered')
          .state('n', 'delivered', null, 'm@a.test'),
    ],
    [
      'a repeat that is answered as new',
      ['repeat'],
      () =>
        new Play()
          .send('m', { key: 'k-1' })
          .send('m', { key: 'k-1' })
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    [
      'a repeat before the first',
      ['repeat'],
      () =>
        new Play()
          .send('m', { key: 'k-1', status: 200 })
          .wait(1)
          .send('m', { key: 'k-1' })
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    [
      'two sends that share a message',
      ['shared'],
      () => new Play().send('m').send('m').take('m').report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'an answer that is neither',
      ['answer'],
      () => new Play().send('m', { status: 202 }).take('m').report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'a message that nobody sent',
      ['unsent'],
      () => new Play().take('m').report('m', 'delivered').state('m', 'delivered'),
    ],
    ['a mail that nobody sent', ['balance', 'ledger', 'unsent'], () => new Play().whole('n').take('m')],
    [
      'an unknown send that made two',
      ['unsent'],
      () =>
        ['m', 'n'].reduce(
          (play, id) =>
            play.take(id, { to: 'm@a.test' }).report(id, 'delivered').state(id, 'delivered', null, 'm@a.test'),
          new Play().unknownSend('m@a.test'),
        ),
    ],
    ['a message that stands twice', ['balance', 'doubled'], () => new Play().whole('m').state('m', 'delivered')],
    [
      'a mail that is taken twice',
      ['balance', 'cost', 'doubled'],
      () => new Play().send('m').take('m').take('m').report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'a mail tried after it was taken',
      ['doubled'],
      () =>
        new Play()
          .send('m')
          .take('m')
          .refund('m')
          .take('m', { type: 'fail' })
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    [
      'another address at the sending server',
      ['address'],
      () => new Play().send('m').take('m', { to: 'x@a.test' }).report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'another address in the end',
      ['address'],
      () => new Play().send('m').take('m').report('m', 'delivered').state('m', 'delivered', null, 'x@a.test'),
    ],
    [
      'a damaged mail',
      ['damaged'],
      () => new Play().send('m').take('m', { fault: 'no signature' }).report('m', 'delivered').state('m', 'delivered'),
    ],
    ['a message that never ends', ['unfinished'], () => new Play().send('m').take('m').state('m', 'sent_to_mta')],
    [
      'a report that is lost',
      ['state'],
      () => new Play().send('m').take('m').report('m', 'delivered').refund('m').state('m', 'failed', NO_RECORD),
    ],
    [
      'a bounce that is overwritten',
      ['state'],
      () => new Play().send('m').take('m').report('m', 'full').report('m', 'delivered').state('m', 'delivered'),
    ],
    ['delivered without a mail', ['state'], () => new Play().send('m').debit('m').state('m', 'delivered')],
    [
      'delivered after a refusal for good',
      ['state'],
      () => new Play().send('m').refuse('m', true).debit('m').state('m', 'delivered'),
    ],
    [
      'a reason beside delivered',
      ['reason'],
      () => new Play().send('m').take('m').report('m', 'delivered').state('m', 'delivered', 'Ditunda sementara'),
    ],
    [
      'no record without a fault',
      ['reason'],
      () =>
        new Play()
          .send('m')
          .wait(5 * DAY)
          .state('m', 'failed', NO_RECORD),
    ],
    [
      'no record where it expired',
      ['reason'],
      () => new Play().send('m').take('m').report('m', 'expired').refund('m').state('m', 'failed', NO_RECORD),
    ],
    ['no coins where there were some', ['reason'], () => new Play().send('m').state('m', 'failed', NO_COINS)],
    ['a block that nobody asked for', ['reason'], () => new Play().send('m').state('m', 'failed', SUPPRESSED)],
    ['a refusal that nobody made', ['reason'], () => new Play().send('m').state('m', 'failed', '550 no')],
    ['given up after a day', ['reason'], () => retried(new Play(), DAY)],
    ['tried for four days', ['retry'], () => retried(new Play(), 4 * DAY)],
    [
      'tried again at once',
      ['retry'],
      () =>
        new Play().send('m').refuse('m', false).wait(1_000).take('m').report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'tried again after a refusal for good',
      ['refused'],
      () =>
        new Play().send('m').refuse('m', true).wait(HOUR).take('m').report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'sent to a blocked recipient',
      ['blocked'],
      () => {
        const play = new Play().send('m');
        play.act('person', 'block', { workspace: 1, to: 'm@a.test' }, { status: 200 });
        return play
          .wait(2 * MINUTE)
          .take('m')
          .report('m', 'delivered')
          .state('m', 'delivered');
      },
    ],
    [
      'sent to an address that bounced',
      ['blocked'],
      () =>
        new Play()
          .send('n', { to: 'm@a.test', again: true })
          .whole('m', 'unknown')
          .wait(HOUR)
          .take('n', { to: 'm@a.test' })
          .report('n', 'delivered')
          .state('n', 'delivered', null, 'm@a.test'),
    ],
    [
      'a coin for a failed mail',
      ['balance', 'cost'],
      () =>
        new Play()
          .send('m')
          .take('m')
          .wait(5 * DAY)
          .state('m', 'failed', NO_RECORD),
    ],
    [
      'a refund for a bounce',
      ['balance', 'cost'],
      () => new Play().send('m').take('m').report('m', 'full').refund('m').state('m', 'bounced', '552'),
    ],
    [
      'two refunds',
      ['balance', 'cost'],
      () =>
        new Play()
          .send('m')
          .take('m')
          .refund('m')
          .book('refund:m:x', 'refund', 1, 'm')
          .wait(5 * DAY)
          .state('m', 'failed', NO_RECORD),
    ],
    [
      'no penalty',
      ['balance', 'cost'],
      () => new Play().send('m').take('m').report('m', 'unknown').state('m', 'bounced', '550'),
    ],
    ['a penalty for a soft bounce', ['balance', 'cost'], () => new Play().whole('m', 'full').penalty('m')],
    [
      'a second penalty',
      ['balance', 'cost'],
      () => new Play().whole('m', 'complaint').book('penalty:m:2', 'penalty', -4, 'm'),
    ],
    [
      'two penalties for a forced send within a day',
      ['balance'],
      () =>
        new Play()
          .whole('m', 'unknown')
          .refusedSend('m@a.test', SUPPRESSED)
          .refusedSend('m@a.test', SUPPRESSED)
          .book('penalty:h:1', 'penalty', -4, null)
          .book('penalty:h:2', 'penalty', -4, null),
    ],
    [
      'a balance that is not its ledger',
      ['ledger'],
      () => {
        const play = new Play().whole('m');
        play.ledger.push({ id: 'x', kind: 'penalty', amount: -4, message: null });
        return play;
      },
    ],
    [
      'a row twice',
      ['balance', 'cost', 'ledger'],
      () =>
        new Play()
          .send('m')
          .take('m')
          .book('debit:m:1', 'debit', -1, 'm')
          .report('m', 'delivered')
          .state('m', 'delivered'),
    ],
    [
      'a debit of two coins',
      ['balance', 'cost', 'ledger'],
      () => new Play().send('m').book('debit:m:1', 'debit', -2, 'm').refuse('m', true).state('m', 'failed', '550'),
    ],
    ['a debit of no message', ['balance', 'ledger'], () => new Play().whole('m').book('debit:x', 'debit', -1, null)],
    ['coins from nowhere', ['balance', 'ledger'], () => new Play().whole('m').book('topup:x', 'topup', 5, null)],
    [
      'a top-up that is lost',
      ['balance', 'ledger'],
      () => {
        const play = new Play().whole('m');
        play.act('operator', 'top-up', { workspace: 1, coins: 50, reference: 'r' }, { status: 200 });
        return play;
      },
    ],
    ['a debit without a coin', ['negative'], () => new Play(1, { coins: 0 }).whole('m')],
    ['a read of too little', ['read'], () => new Play().whole('m').read(98)],
    ['a read of too much', ['read'], () => new Play().whole('m').read(100)],
    ['an event that is lost', ['webhook-lost'], () => hooked().whole('m')],
    ['an event that is given up early', ['webhook-lost'], () => failing([30, 60])],
    ['an answer that came too late', ['webhook-lost'], () => answeredLate((play) => play)],
    ['a sixth attempt', ['webhook-attempts'], () => failing([30, 60, 90, 120, 300])],
    ['an attempt too soon', ['webhook-lost', 'webhook-wait'], () => failing([30, 30])],
    [
      'one event under two ids',
      ['webhook-untrue'],
      () => hooked().whole('m').deliver('h', 'm', 'delivered').deliver('h', 'm', 'delivered', { id: 'other' }),
    ],
    [
      'two events under one id',
      ['webhook-id'],
      () =>
        hooked()
          .whole('m', 'complaint')
          .deliver('h', 'm', 'delivered', { id: 'x' })
          .wait(30_000)
          .deliver('h', 'm', 'complaint', { id: 'x' })
          .deliver('h', 'm', 'complaint'),
    ],
    [
      'an event that did not happen',
      ['webhook-untrue'],
      () => hooked().whole('m').deliver('h', 'm', 'delivered').deliver('h', 'm', 'open'),
    ],
    [
      'an event before it happened',
      ['webhook-untrue'],
      () =>
        hooked().send('m').take('m').deliver('h', 'm', 'delivered').report('m', 'delivered').state('m', 'delivered'),
    ],
    [
      'a request that is not signed',
      ['webhook-signature'],
      () => hooked().whole('m').deliver('h', 'm', 'delivered', { signed: false }),
    ],
    [
      'an event that nobody asked for',
      ['webhook-event'],
      () => new Play().subscribe('h', ['bounce']).whole('m').deliver('h', 'm', 'delivered'),
    ],
    [
      'an event of no message',
      ['webhook-foreign'],
      () => hooked().whole('m').deliver('h', 'm', 'delivered').deliver('h', 'n', 'open'),
    ],
    ['a free account that is too fast', ['rate'], () => paced(40, 4_000)],
    ['eleven a minute for half an hour', ['day', 'rate'], () => paced(330, 5_400)],
    ['a premium account that is too fast', ['rate'], () => paced(1_500, 40, { isFree: false })],
    ['a free account above its day', ['day'], () => paced(301, 6_100)],
    [
      'an audit with a difference',
      ['audit'],
      () => {
        const play = new Play().whole('m');
        play.act('operator', 'audit', {}, { differences: ['x'] });
        return play;
      },
    ],
    [
      'a completion of nothing',
      ['history'],
      () => {
        const play = new Play().whole('m');
        play.end('x', 'send', 99, 'ok');
        return play;
      },
    ],
  ];
  test.each(wrong)('%s', async (_name, rules, make) => {
    expect(await broken(make())).toEqual(rules);
  });

  test('no read of the end', async () => {
    expect((await judge(new Play().send('m').lines)).findings).toMatchObject([
      { rule: 'final', subject: 'workspace 1' },
    ]);
  });

  test('an event of another workspace, and a message of two', async () => {
    const other = new Play(2).whole('n').final();
    const last = other.at(-1)?.t ?? 0;
    const play = hooked().wait(last).whole('m').deliver('h', 'm', 'delivered').deliver('h', 'n', 'delivered');
    const found = await judge([...other, ...play.final()].sort((a, b) => a.t - b.t));
    expect(found.findings).toMatchObject([{ rule: 'webhook-foreign', subject: 'hook h' }]);
    const both = await judge([...other, ...new Play().wait(last).send('n').final()].sort((a, b) => a.t - b.t));
    expect(both.findings.map(({ rule }) => rule)).toContain('foreign');
  });
});
