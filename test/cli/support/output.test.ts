import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { readConfig } from '../../../operations/config/config';
import { jsonText, Output } from '../../../cli/support/output';
import { paintFor } from '../../../cli/support/paint';
import { progressOn } from '../../../cli/support/progress';
import { View } from '../../../operations/definition';

const plain = new View(paintFor({ write: () => undefined }));

describe('JSON', () => {
  it('has no control character, and reads as it was', () => {
    const text = 'a\x1b\x7f\x85\x9b\u2028b';
    expect(jsonText({ text })).not.toMatch(/[\x1b\x7f-\x9f\u2028]/);
    expect(JSON.parse(jsonText({ text }))).toEqual({ text });
  });
});

describe('a list that is written as it grows', () => {
  const tools = () => Promise.reject(new Error('no data is opened here'));
  const answering = (json: boolean, readerGone?: AbortSignal) => {
    const written: string[] = [];
    const stdout = { write: (text: string) => written.push(text) };
    const host = { stdout, stderr: stdout, stdin: Readable.from([]), config: () => readConfig({}), tools };
    return { written, output: new Output({ ...host, ...(readerGone && { readerGone }) }, json) };
  };
  const item = (n: number) => ({ text: `${n}\n`, json: { n, text: 'a\nb' } });
  const end = { text: () => 'done\n', json: { ok: true }, code: 1 } as const;

  it.each([0, 1, 2, 3])('is in JSON the first field of the object it would be as a whole, of %d items too', (count) => {
    const { written, output } = answering(true);
    const add = output.listing('data');
    const items = Array.from({ length: count }, (_, n) => item(n));
    items.forEach(add);
    expect(written).toHaveLength(count);
    expect(output.end(end, plain)).toBe(1);
    expect(written.join('')).toBe(`${jsonText({ data: items.map(({ json }) => json), ok: true })}\n`);
  });

  it('for people is the items, and then the rest', () => {
    const { written, output } = answering(false);
    const add = output.listing('data');
    [item(1), item(2)].forEach(add);
    output.end(end, plain);
    expect(written).toEqual(['1\n', '2\n', 'done\n']);
  });

  it('ends where nobody reads any more', () => {
    const reader = new AbortController();
    const { written, output } = answering(true, reader.signal);
    const add = output.listing('data');
    add(item(1));
    reader.abort();
    expect(() => add(item(2))).toThrow('aborted');
    expect(written).toHaveLength(1);
  });
});

describe('progress', () => {
  const onTerminal = (isTTY: boolean): { written: string[]; sink: Parameters<typeof progressOn>[0] } => {
    const written: string[] = [];
    return { written, sink: { write: (text) => written.push(text), isTTY } };
  };

  it('draws a bar on a terminal and takes it away', () => {
    const { written, sink } = onTerminal(true);
    const progress = progressOn(sink, 'adding', 4);
    progress.step(2);
    progress.done();
    expect(written[1]).toBe('\radding ████████████░░░░░░░░░░░░ 2/4\x1b[K');
    expect(written.at(-1)).toBe('\r\x1b[K');
  });

  it('says how far it is in its own unit, comes back after a line, and is never longer than the terminal is wide', () => {
    const { written, sink } = onTerminal(true);
    const progress = progressOn({ ...sink, columns: 20 }, 'going', 0, (count) => `${count} km`);
    progress.done();
    progress.done();
    progress.to(600, 1_200);
    progress.done();
    expect(written).toEqual(['\rgoing ░░░░░░░░░░░░…\x1b[K', '\r\x1b[K', '\rgoing ████████████…\x1b[K', '\r\x1b[K']);
  });

  it('writes large figures in groups', () => {
    const { written, sink } = onTerminal(true);
    progressOn(sink, 'messages', null).step(1_000_000);
    expect(written.at(-1)).toBe('\rmessages 1,000,000\x1b[K');
  });

  it('writes nothing elsewhere', () => {
    const { written, sink } = onTerminal(false);
    const progress = progressOn(sink, 'adding', 4);
    progress.step();
    progress.to(3, 4);
    progress.done();
    expect(written).toEqual([]);
  });
});
