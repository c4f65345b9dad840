import { describe, expect, it } from '@jest/globals';
import { ProgressLine } from '../../cli/progress-line';

function terminal(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

describe('the progress line', () => {
  it('shows a bar, the share and the figures on a terminal, and takes itself away', () => {
    const stream = terminal(true);
    const line = new ProgressLine(stream, 'messages');
    line.show(500_000, 1_000_000);
    expect(stream.written).toEqual([`\r\x1b[K[${'#'.repeat(15)}${'-'.repeat(15)}] 50% 500,000 of 1,000,000 messages`]);
    line.clear();
    line.clear();
    expect(stream.written.slice(1)).toEqual(['\r\x1b[K']);
  });

  it('is never longer than the terminal is wide', () => {
    const stream = terminal(true, 20);
    new ProgressLine(stream, 'messages').show(0, 0);
    expect(stream.written[0]).toHaveLength('\r\x1b[K'.length + 19);
  });

  it('writes nothing where there is no terminal', () => {
    const stream = terminal(false);
    const line = new ProgressLine(stream, 'messages');
    line.show(1, 2);
    line.clear();
    expect(stream.written).toEqual([]);
  });
});
