import { describe, expect, it } from '@jest/globals';
import { MailsInHand, type MailInHand } from '../../../consumers/dispatch/mails-in-hand';
import { Activity, recordTask } from '../../../lib/activity';
import { UnavailableError } from '../../../lib/errors';

const MB = 1_000_000;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Mails of a dispatch with this many slots and 30 MB for large ones. */
function mails(slots = 2) {
  const activity = new Activity();
  const inHand = new MailsInHand({ mails: slots, memory: 30 * MB, activity });
  const seen: string[] = [];
  const held = new Map<string, MailInHand>();
  let workspaces = 1_000;
  /** `of`: its workspace, by default one of its own. */
  const begin = async (name: string, bytes = 0, { attempt = 1, of = (workspaces += 1) } = {}): Promise<void> => {
    activity.begin(recordTask('dispatch', name));
    try {
      const mail = await inHand.take(name, attempt);
      held.set(name, mail);
      if (bytes > 0 && !(await mail.enlarge(of, bytes))) {
        seen.push(`${name} again`);
        mail.release();
        return;
      }
      seen.push(name);
    } catch (error) {
      seen.push(`${name} ${error instanceof UnavailableError ? 'sent away' : 'failed'}`);
    }
  };
  const start = async (...args: Parameters<typeof begin>): Promise<void> => {
    void begin(...args);
    await settled();
  };
  const end = async (name: string): Promise<void> => {
    held.get(name)!.release();
    await settled();
  };
  return { activity, inHand, seen, held, start, end };
}

describe('mails in hand', () => {
  it('are so many at a time, in the order of their records', async () => {
    const { seen, start, end } = mails();
    for (const name of ['a', 'b', 'c']) await start(name);
    expect(seen).toEqual(['a', 'b']);
    await end('a');
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('are limited by their memory when they are large, and small ones pass those that wait', async () => {
    const { seen, start, end } = mails();
    for (const name of ['10 MB', 'another', 'a third']) await start(name, 14 * MB);
    await start('small');
    expect(seen).toEqual(['10 MB', 'another']);
    await end('10 MB');
    expect(seen).toEqual(['10 MB', 'another', 'small']);
    await end('small');
    expect(seen).toEqual(['10 MB', 'another', 'small', 'a third']);
  });

  it('leave their slot while they wait for memory', async () => {
    const { seen, start } = mails(3);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await start(name, 14 * MB);
    await start('small');
    expect(seen).toEqual(['a', 'b', 'small']);
  });

  it('may be larger than all of the memory: alone', async () => {
    const { seen, start, end } = mails();
    await start('huge', 50 * MB);
    await start('other', MB);
    expect(seen).toEqual(['huge']);
    await end('huge');
    expect(seen).toEqual(['huge', 'other']);
  });

  it('of one workspace hold half of the memory, and those of another are not held by those that wait', async () => {
    const { seen, held, start, end } = mails(9);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await start(name, 7 * MB, { of: 1 });
    expect(seen).toEqual(['a1', 'a2']);
    await start('b1', 14 * MB, { of: 2 });
    expect(seen).toEqual(['a1', 'a2', 'b1']);
    await start('b2', 20 * MB, { of: 2 });
    await end('b1');
    await end('a1');
    expect(seen).toEqual(['a1', 'a2', 'b1', 'a3']);
    held.get('a2')!.release();
    await end('a3');
    expect(seen.slice(4)).toEqual(['a4', 'b2']);
  });

  it('may ask for more once their size is known, without what they had', async () => {
    const { seen, held, start } = mails(2);
    await start('a', 20 * MB, { of: 1 });
    expect(await held.get('a')!.enlarge(1, 29 * MB)).toBe(true);
    await start('b', 2 * MB, { of: 2 });
    expect(seen).toEqual(['a']);
    held.get('a')!.release();
    await settled();
    expect(seen).toEqual(['a', 'b']);
  });

  it('give back their memory with the hand-off, and their slot only with the outcome', async () => {
    const { seen, held, start, end } = mails(3);
    for (const name of ['a', 'b', 'c', 'small']) await start(name, name === 'small' ? 0 : 14 * MB);
    expect(seen).toEqual(['a', 'b', 'small']);
    held.get('a')!.forget();
    await settled();
    expect(seen).toEqual(['a', 'b', 'small']);
    await end('a');
    expect(seen).toEqual(['a', 'b', 'small', 'c']);
  });

  it('are in hand once: a further record of a large claim ends at once, one of the next claim does not', async () => {
    const { seen, held, start } = mails(4);
    await start('a', MB);
    const first = held.get('a')!;
    await start('a', MB);
    await start('a', MB, { attempt: 2 });
    expect(seen).toEqual(['a', 'a again', 'a']);
    first.release();
    await start('a', MB);
    expect(seen).toEqual(['a', 'a again', 'a', 'a']);
  });

  it('that wait for memory keep no further record: the timers write one every two minutes', async () => {
    const { seen, held, start } = mails(4);
    for (const name of ['a', 'b', 'c']) await start(name, 14 * MB);
    const first = held.get('a')!;
    for (let times = 0; times < 3; times += 1) await start('c', 14 * MB);
    expect(seen).toEqual(['a', 'b', 'c again', 'c again', 'c again']);
    first.release();
    await settled();
    expect(seen.at(-1)).toBe('c');
  });

  it('are composed one at a time when they are large', async () => {
    const { held, start } = mails(4);
    await start('a', MB);
    await start('b', MB);
    const seen: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await settled();
      seen.push(`${name} ends`);
    };
    await Promise.all(['a', 'b'].map((name) => held.get(name)!.alone(work(name))));
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('do not count as working while they wait, since others may wait for the clock', async () => {
    const { activity, start } = mails(1);
    await start('a');
    await start('b');
    await start('c', MB);
    expect(activity.names(5)).toEqual(['dispatch a']);
  });

  it('that wait are sent away once the program stops, and those in hand go on', async () => {
    const { inHand, seen, start, end } = mails(2);
    for (const name of ['a', 'b', 'large']) await start(name, 14 * MB);
    await start('small');
    await start('late');
    inHand.stop();
    await settled();
    expect([...seen].sort()).toEqual(['a', 'b', 'large sent away', 'late sent away', 'small sent away']);
    await end('a');
    await start('new');
    expect(seen.at(-1)).toBe('new sent away');
  });
});
