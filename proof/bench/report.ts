import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** The result of one part of the benches. */
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

/** The machine of the benches, in a sentence. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1e9);
  return `${cpus().length} cores (${model}), ${memory} GB of memory, ${process.platform}, Node ${process.version}.`;
}

const introText = (): string => `# Bench results

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}

Ours and the baseline run in turn, on the same machine, within one run; each figure is the median of the rounds. Load
generator, sending server and service share the cores, so only the ratios carry over to other machines.
`;

const SECTION = /^(?=## )/m;
const titleOf = (text: string): string => /^## (.*)$/m.exec(text)?.[1] ?? '';

/**
 * The text of the results with these sections. A complete run names the titles it keeps: its own sections come first,
 * below a new intro, followed by the kept ones unchanged. A part that runs alone replaces its old section, or goes to
 * the end.
 */
export function mergeResults(
  before: string,
  sections: readonly Section[],
  complete?: { keep: readonly string[] },
): string {
  const [intro = '', ...found] = before.split(SECTION);
  const fresh = new Map(sections.map((section) => [section.title, sectionText(section)]));
  const kept = found.filter(
    (text) => !complete || (complete.keep.includes(titleOf(text)) && !fresh.has(titleOf(text))),
  );
  const known = new Set(kept.map(titleOf));
  const added = [...fresh].flatMap(([title, text]) => (known.has(title) ? [] : [text]));
  const placed = kept.map((text) => fresh.get(titleOf(text)) ?? text);
  const texts = complete ? [introText(), ...added, ...placed] : [intro || introText(), ...placed, ...added];
  return texts.map((text) => text.trimEnd()).join('\n\n') + '\n';
}

/** Prints the sections, and writes them into the file if one is given (see mergeResults). */
export function publish(
  sections: readonly Section[],
  file: string | null,
  complete?: { keep: readonly string[] },
): void {
  if (file) writeFileSync(file, mergeResults(existsSync(file) ? readFileSync(file, 'utf8') : '', sections, complete));
  console.log(sections.map(sectionText).join('\n'));
}
