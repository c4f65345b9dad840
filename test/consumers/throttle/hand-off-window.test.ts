import { describe, expect, it } from '@jest/globals';
import { HandOffWindow } from '../../../consumers/throttle/hand-off-window';
import { SECOND } from '../../../lib/clock';

const DAY = '2026-01-01';
const MAX = 400;

/** A window that is told, each `every` ms, of so many hand-offs since. */
function windowAt(every: number, most = MAX, connections = 20) {
  const window = new HandOffWindow(
    () => most,
    () => connections,
  );
  let [at, claims] = [0, 0];
  const note = (handedOver: number, { usedUp = true, waiting = 50, day = DAY } = {}): number => {
    at += every;
    claims += handedOver;
    if (usedUp) window.usedUp();
    window.note({ claims: claims + waiting, day, waiting }, at);
    return window.size;
  };
  note(0);
  return { window, note };
}

describe('the window of mail that is claimed and not handed over', () => {
  it('is about a second of what a slow server takes, and never less than what keeps its connections busy', () => {
    const { note } = windowAt(SECOND);
    const sizes = Array.from({ length: 8 }, () => note(60));
    expect(sizes[0]).toBeLessThan(100);
    expect(sizes.at(-1)).toBe(60);
    for (let n = 0; n < 8; n += 1) note(0);
    expect(note(0)).toBe(40);
  });

  it('never leaves a connection without a mail: at 5 s an answer, a second of mails would be for each fifth only', () => {
    const { note } = windowAt(SECOND, 400, 100);
    const sizes = Array.from({ length: 8 }, () => note(20));
    expect(Math.min(...sizes)).toBe(200);
    expect(windowAt(SECOND, 400, 1_000).note(20)).toBe(400);
  });

  it('grows at once with a fast server, up to what is allowed for all processes that dispatch', () => {
    expect(windowAt(SECOND / 4).note(90)).toBe(360);
    expect(windowAt(SECOND / 4).note(900)).toBe(400);
    expect(windowAt(SECOND / 4, 600).note(900)).toBe(600);
  });

  it('keeps its size while it is not used up: the rate is then that of the claims', () => {
    const { note } = windowAt(SECOND);
    note(300);
    for (let n = 0; n < 5; n += 1) expect(note(2, { usedUp: false })).toBe(300);
    expect(note(2)).toBe(151);
  });

  it('begins anew after a rest, since the server may have become slow', () => {
    const { note } = windowAt(11 * SECOND);
    expect(note(11 * 400)).toBe(100);
    const { note: soon } = windowAt(SECOND);
    expect(soon(400)).toBe(400);
  });

  it('takes the first count of a day for no rate', () => {
    const { note } = windowAt(SECOND);
    note(60);
    const before = note(60);
    expect(note(100_000, { day: '2026-01-02' })).toBe(before);
  });
});
