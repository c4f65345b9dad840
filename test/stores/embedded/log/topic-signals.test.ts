import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { TopicSignals } from '../../../../stores/embedded/log/topic-signals';

const TOPIC = 'messages.accepted';

const stopping = new AbortController();
let signals: TopicSignals;
afterEach(() => signals.close());

/** Wakes whoever sleeps on the topic, and tells after how long, ms, each of the sleepers heard of it. */
async function heardAfter(wakes: () => void, sleepers = 1): Promise<number[]> {
  const from = performance.now();
  const heard = Array.from({ length: sleepers }, () =>
    signals.wait([TOPIC], stopping.signal).then(() => performance.now() - from),
  );
  wakes();
  return Promise.all(heard);
}

describe('the signals of topics', () => {
  it('wake every reader at once after a rest', async () => {
    signals = new TopicSignals(() => false);
    let woken = 0;
    for (let n = 0; n < 3; n += 1) void signals.wait([TOPIC], stopping.signal).then(() => (woken += 1));
    signals.wake([TOPIC]);
    await Promise.resolve();
    expect(woken).toBe(3);
  });

  it('hold a second wake-up back until the first is 5 ms old, and lose none', async () => {
    signals = new TopicSignals(() => false);
    const first = performance.now();
    await heardAfter(() => signals.wake([TOPIC]));
    for (let n = 0; n < 5; n += 1) {
      await heardAfter(() => {
        signals.wake([TOPIC]);
        signals.wake([TOPIC]);
      });
    }
    // Five wake-ups, each 5 ms after the one before; timers count whole milliseconds.
    expect(performance.now() - first).toBeGreaterThanOrEqual(15);
  });

  it('hold back no reader of another topic', async () => {
    signals = new TopicSignals(() => false);
    await heardAfter(() => signals.wake([TOPIC]));
    let woken = false;
    void signals.wait(['coins.entries'], stopping.signal).then(() => (woken = true));
    signals.wake([TOPIC, 'coins.entries']);
    await Promise.resolve();
    expect(woken).toBe(true);
  });

  it('do not wait for anything once they are closed', async () => {
    signals = new TopicSignals(() => false);
    await heardAfter(() => signals.wake([TOPIC]));
    let woken = false;
    void signals.wait([TOPIC], stopping.signal).then(() => (woken = true));
    signals.wake([TOPIC]);
    signals.close();
    await Promise.resolve();
    expect(woken).toBe(true);
  });

  it('wake everybody once another connection has written, and look no more while nobody waits', async () => {
    let looks = 0;
    signals = new TopicSignals(() => (looks += 1) === 2);
    const waits = ([TOPIC, 'coins.entries'] as const).map((topic) => signals.wait([topic], stopping.signal));
    expect(signals.generation).toBe(0);
    await Promise.all(waits);
    expect(signals.generation).toBe(1);
    await setTimeout(1_100);
    expect(looks).toBe(2);
  });

  it('leave a file that cannot be read to the readers', async () => {
    signals = new TopicSignals(() => {
      throw new Error('no file');
    });
    await signals.wait([TOPIC], stopping.signal);
    expect(signals.generation).toBe(1);
  });

  it('wake nobody who came after the record: that one has read', async () => {
    signals = new TopicSignals(() => false);
    signals.wake([TOPIC]);
    let woken = false;
    void signals.wait([TOPIC], stopping.signal).then(() => (woken = true));
    await setTimeout(20);
    expect(woken).toBe(false);
  });
});
