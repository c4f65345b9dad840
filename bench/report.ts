import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** What one part of the benches found. */
export interface Section {
  title: string;
  /** How it was measured, in a sentence or two. */
  about: string;
  head: string[];
  rows: string[][];
}

const GROUPS = /\B(?=(\d{3})+$)/g;

/** A whole number with groups of three digits. */
export const whole = (value: number): string => Math.round(value).toString().replace(GROUPS, ',');

export const fixed = (value: number, digits: number): string => value.toFixed(digits);

function table(head: readonly string[], rows: readonly string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const sectionText = ({ title, about, head, rows }: Section): string =>
  `## ${title}\n\n${about}\n\n${table(head, rows)}\n`;

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1e9);
  return `${cpus().length} cores (${model}), ${memory} GB of memory, ${process.platform}, Node ${process.version}.`;
}

/** Prints the sections, and writes them to the file where one is given. */
export function publish(sections: readonly Section[], file: string | null): void {
  const intro = `# Bench results

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}

Ours and the baseline run in turn, on the same machine, within one run; each figure is the median of the rounds. Load
generator, sending server and service share the cores, so only the ratios carry over to other machines.
`;
  const text = [intro, ...sections.map(sectionText)].join('\n');
  if (file) writeFileSync(file, text);
  console.log(sections.map(sectionText).join('\n'));
}
