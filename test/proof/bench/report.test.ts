import { describe, expect, it } from '@jest/globals';
import { mergeResults, type Section } from '../../../proof/bench/report';

const section = (title: string, figure: string): Section => ({ title, about: 'How.', head: ['a'], rows: [[figure]] });
const titles = (text: string): string[] => [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1]!);

describe('proof/bench/results.md', () => {
  const first = mergeResults('', [section('Accept', '1'), section('Latency', '2')], { keep: [] });

  it('begins with what it was measured on, then a section for each part', () => {
    expect(first).toMatch(/^# Bench results\n\nWritten by `npm run bench` on \d{4}-\d\d-\d\d: /);
    expect(titles(first)).toEqual(['Accept', 'Latency']);
    expect(first.endsWith('|\n')).toBe(true);
  });

  it('takes in the section of a part that is played apart, or puts it in the place of the old one', () => {
    const once = mergeResults(first, [section('Audit', '3')]);
    const twice = mergeResults(once, [section('Audit', '4')]);
    expect(titles(twice)).toEqual(['Accept', 'Latency', 'Audit']);
    expect(twice).toBe(once.replace('| 3 |', '| 4 |'));
    expect(once.startsWith(first.trimEnd())).toBe(true);
  });

  it('keeps that section, and no other, when the rest is played anew', () => {
    const before = mergeResults(first, [section('Audit', '3')]);
    const after = mergeResults(before, [section('Latency', '5'), section('New', '6')], { keep: ['Audit'] });
    expect(titles(after)).toEqual(['Latency', 'New', 'Audit']);
    expect(after).toContain('| 3 |');
    expect(after).toContain('| 5 |');
  });
});
