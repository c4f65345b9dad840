import { describe, expect, it } from '@jest/globals';
import { FailingWork } from '../../../app/core/failing-work';
import { SECOND } from '../../../lib/clock';

describe('work that fails all the time', () => {
  const open = () => {
    const time = { now: 1_000 };
    return { time, work: new FailingWork(() => time.now) };
  };
  const failFor = ({ time, work }: ReturnType<typeof open>, ms: number, what = 'claiming'): void => {
    for (const end = time.now + ms; time.now < end; time.now += SECOND) work.failed(what, new Error('no index'));
    work.failed(what, new Error('no index\n at secret.ts for ani@toko.test'));
  };

  it('is told after ten seconds, with how long and why', () => {
    const opened = open();
    failFor(opened, 9 * SECOND);
    expect(opened.work.fault()).toBeNull();
    failFor(opened, SECOND);
    expect(opened.work.fault()).toBe('claiming has failed for 10 s: no index');
  });

  it('is over with its first success, and only its own', () => {
    const opened = open();
    failFor(opened, 12 * SECOND, 'claiming');
    opened.work.worked('publishing');
    expect(opened.work.fault()).not.toBeNull();
    opened.work.worked('claiming');
    expect(opened.work.fault()).toBeNull();
  });

  it('is over when it is not tried any more, and counts from the start when it fails again', () => {
    const opened = open();
    failFor(opened, 12 * SECOND);
    opened.time.now += 16 * SECOND;
    expect(opened.work.fault()).toBeNull();
    failFor(opened, 5 * SECOND);
    expect(opened.work.fault()).toBeNull();
  });

  it('whose retry comes late is told ten seconds after that, and is over when nothing tried it', () => {
    const { time, work } = open();
    const fail = (): void => work.failed('due work', new Error('no index'), 60 * SECOND);
    fail();
    time.now += 60 * SECOND;
    fail();
    time.now += 9 * SECOND;
    expect(work.fault()).toBeNull();
    time.now += SECOND;
    expect(work.fault()).toBe('due work has failed for 70 s: no index');
    time.now += 65 * SECOND;
    expect(work.fault()).not.toBeNull();
    time.now += SECOND;
    expect(work.fault()).toBeNull();
  });

  it('shows no addresses: anyone may ask /readyz', () => {
    const opened = open();
    for (let n = 0; n <= 10; n += 1) {
      opened.work.failed('x', new Error('duplicate key { email: "ani@toko.test" }'));
      opened.time.now += SECOND;
    }
    expect(opened.work.fault()).toMatch(/^x has failed for 11 s: duplicate key/);
    expect(opened.work.fault()).not.toContain('ani');
  });
});
