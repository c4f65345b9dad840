import { describe, expect, it } from '@jest/globals';
import { LogTail, type AppendedRow } from '../../../../stores/embedded/log/log-tail';

const TOPIC = 'messages.accepted';

const rowAt = (offset: number): AppendedRow => ({
  topic: TOPIC,
  row: { offset, key: '1', value: '{}', at: 0, version: 1, forGroup: null },
});
const rowsTo = (first: number, last: number): AppendedRow[] =>
  Array.from({ length: last - first + 1 }, (_, n) => rowAt(first + n));

/** The offsets of what the tail has from an offset on; null: the file has to be read. */
const offsets = (tail: LogTail, from: number, limit = 10_000): number[] | null =>
  tail.from(TOPIC, from, limit)?.map(({ offset }) => offset) ?? null;

describe('the tail of the log', () => {
  it('knows nothing of a topic to which this process appended nothing', () => {
    const tail = new LogTail();
    tail.add([rowAt(1)]);
    expect(tail.from('coins.entries', 1, 10)).toBeNull();
  });

  it('gives what was appended from an offset on, and nothing at its end', () => {
    const tail = new LogTail();
    tail.add([rowAt(4), rowAt(5)]);
    tail.add([rowAt(6)]);
    expect(offsets(tail, 4)).toEqual([4, 5, 6]);
    expect(offsets(tail, 5, 1)).toEqual([5]);
    expect(offsets(tail, 7)).toEqual([]);
  });

  it('leaves to the file what came before, and what another process appends after', () => {
    const tail = new LogTail();
    tail.add([rowAt(4)]);
    expect(offsets(tail, 3)).toBeNull();
    expect(offsets(tail, 6)).toBeNull();
  });

  it('begins again after a record of another process, which is in the file only', () => {
    const tail = new LogTail();
    tail.add([rowAt(4), rowAt(6)]);
    expect(offsets(tail, 5)).toBeNull();
    expect(offsets(tail, 6)).toEqual([6]);
  });

  it('keeps the newest rows alone, however many are appended', () => {
    const tail = new LogTail();
    tail.add(rowsTo(1, 100_000));
    expect(offsets(tail, 98_900)).toBeNull();
    const kept = offsets(tail, 99_500)!;
    expect(kept[0]).toBe(99_500);
    expect(kept.at(-1)).toBe(100_000);
    expect(kept).toHaveLength(501);
  });
});
