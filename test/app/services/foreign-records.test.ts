import { describe, expect, it } from '@jest/globals';
import { ForeignRecords } from '../../../app/services/foreign-records';
import { MINUTE, SECOND } from '../../../lib/clock';

describe('records of messages that are not in the store', () => {
  const open = () => {
    const lines: object[] = [];
    const time = { now: 0 };
    const foreign = new ForeignRecords('coins', { warn: (facts) => void lines.push(facts) }, () => time.now);
    return { foreign, lines, time };
  };

  it('are warned of at once, then counted, with one line in 30 seconds at most', () => {
    const { foreign, lines, time } = open();
    for (let n = 0; n < 100; n += 1) foreign.note(`key ${n}`);
    expect(lines).toEqual([{ group: 'coins', key: 'key 0', records: 1, since_start: 1 }]);
    time.now += 30 * SECOND;
    foreign.note('another');
    expect(lines[1]).toEqual({ group: 'coins', key: 'another', records: 100, since_start: 101 });
  });

  it('are shown by /readyz for ten minutes, with their number', () => {
    const { foreign, time } = open();
    expect(foreign.fault()).toBeNull();
    foreign.note('one');
    foreign.note('two');
    time.now += 10 * MINUTE;
    expect(foreign.fault()).toMatch(/^2 records of messages that are not in this store became dead letters/);
    time.now += 1;
    expect(foreign.fault()).toBeNull();
  });
});
