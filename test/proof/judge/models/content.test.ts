import { describe, expect, test } from '@jest/globals';
import type { Shown } from '../../../../proof/judge/history';
import { judge } from '../../../../proof/judge/judge';
import { DAY, HOUR, MINUTE, Play } from '../play';

const CONTENT = { subject: 'Pesanan 7', text: 'Pesanan 7 untuk {{email}}' };
const linkOf = (name: string): string => `https://kurir.test/u/${name}`;

/** A mail as it should be seen by `name`. */
const shownTo = (name: string): Shown => ({
  to: `${name}@a.test`,
  subject: 'Pesanan 7',
  texts: [`Halo Kak, Pesanan 7 untuk ${name}@a.test.`, `Halo Kak, Pesanan 7 untuk ${name}@a.test. a b`],
  unsubscribe: { header: linkOf(name), links: [linkOf(name)] },
});

interface Told {
  shown?: (shown: Shown) => void;
  names?: string[];
  status?: number;
}

/** One mail, from its send to the page behind its link. */
function mail(play: Play, name: string, { shown: change, names = [`${name}@a.test`], status = 200 }: Told = {}): Play {
  const to = `${name}@a.test`;
  const shown = shownTo(name);
  change?.(shown);
  const asked = { workspace: 1, key: null, to, ...CONTENT };
  play.act('caller-1', 'send', asked, { status: 201, message: name, state: 'queued' });
  play.debit(name).act('mta', 'take', { message: name, to, fault: null, shown }, { reply: '250 ok' });
  play.report(name, 'delivered').state(name, 'delivered');
  play.act('person', 'page', { message: name }, { status, names });
  return play;
}

async function found(play: Play): Promise<string[]> {
  return (await judge(play.final())).findings.map(({ rule, subject }) => `${rule} ${subject}`);
}

describe('what a mail says', () => {
  test('is right', async () => {
    expect(await found(mail(mail(new Play(), 'm'), 'n'))).toEqual([]);
    // Who was deleted is not named any more.
    expect(await found(mail(new Play(), 'm', { names: [] }))).toEqual([]);
  });

  test.each<[string, string, Told]>([
    ['another recipient in To', 'content', { shown: (of) => void (of.to = 'other@a.test') }],
    ['no recipient in To', 'content', { shown: (of) => void (of.to = '') }],
    ['another subject', 'content', { shown: (of) => void (of.subject = 'Pesanan 8') }],
    ['another text in one part', 'content', { shown: (of) => void (of.texts[1] = 'Pesanan 8 untuk m@a.test') }],
    [
      'the address of another one in its text',
      'content',
      { shown: (of) => void (of.texts[0] = 'Pesanan 7 untuk n@a.test') },
    ],
    ['no text', 'content', { shown: (of) => void (of.texts = []) }],
    ['no List-Unsubscribe', 'link', { shown: (of) => void (of.unsubscribe.header = null) }],
    ['no link in its text', 'link', { shown: (of) => void (of.unsubscribe.links = []) }],
    ['two links that differ', 'link', { shown: (of) => void of.unsubscribe.links.push(linkOf('x')) }],
    ['a link that is about another one', 'link', { names: ['n@a.test'] }],
    ['a link that leads nowhere', 'link', { status: 404, names: [] }],
  ])('is not right with %s', async (_with, rule, told) => {
    expect(await found(mail(new Play(), 'm', told))).toEqual([`${rule} message m`]);
  });

  test('is not right with the link of another mail', async () => {
    const stolen = { header: linkOf('m'), links: [linkOf('m')] };
    const play = mail(mail(new Play(), 'm'), 'n', { shown: (of) => void (of.unsubscribe = stolen) });
    expect(await found(play)).toEqual(['link message n']);
  });

  test('is not judged where the history does not tell', async () => {
    expect(await found(new Play().whole('m'))).toEqual([]);
  });
});

describe('mail that may go', () => {
  const late = (play: Play): Play => play.take('m').report('m', 'delivered').state('m', 'delivered');
  const fails = async (play: Play): Promise<string[]> => (await found(play)).filter((one) => one.startsWith('late'));

  test('goes in time', async () => {
    expect(await fails(late(new Play().send('m').wait(6 * HOUR)))).toEqual([]);
    expect(
      await fails(
        late(
          new Play()
            .send('m')
            .refuse('m', false)
            .wait(7 * HOUR),
        ),
      ),
    ).toEqual([]);
    // What nobody knows of may have been accepted later.
    expect(await fails(late(new Play().unknownSend('m@a.test').wait(DAY)))).toEqual([]);
  });

  test('is late when it is held for a day', async () => {
    expect(await fails(late(new Play().send('m').wait(DAY)))).toEqual(['late message m']);
    expect(await fails(late(new Play().send('m').take('m', { type: 'fail' }).refund('m').wait(DAY)))).toEqual([
      'late message m',
    ]);
    expect(await fails(late(new Play(1, { isFree: true }).send('m').wait(DAY)))).toEqual(['late message m']);
  });

  test('is late when a clock that was ahead keeps it, whatever faults came before', async () => {
    const play = new Play().send('m').fault('clock').wait(MINUTE).fault('clock').fault('kill').fault('start');
    expect(await fails(late(play.wait(2 * DAY)))).toEqual(['late message m']);
  });

  test('waits for the turn of a free account', async () => {
    const play = new Play(1, { coins: 5_000, isFree: true }).send('m');
    for (let n = 0; n < 300; n += 1) play.send(`n${n}`);
    for (let n = 0; n < 300; n += 1) play.take(`n${n}`).wait(MINUTE / 10);
    expect(await fails(late(play.wait(17 * HOUR)))).toEqual([]);
  });

  test('waits while faults hide its attempts', async () => {
    const play = new Play().send('m');
    for (let n = 0; n < 8; n += 1) play.wait(5 * HOUR).fault('reset');
    expect(await fails(late(play))).toEqual([]);
  });
});
