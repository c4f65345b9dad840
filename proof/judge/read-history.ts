import { createReadStream } from 'node:fs';
import type { ActName } from './acts';
import type { Line } from './history';
import { MORE } from './run';

const TYPES: readonly string[] = ['invoke', 'ok', 'fail', 'info'] satisfies Line['type'][];
const NAMES: readonly string[] = [
  ...Object.keys({
    account: 0,
    send: 0,
    take: 0,
    refuse: 0,
    report: 0,
    open: 0,
    click: 0,
    page: 0,
    subscribe: 0,
    drop: 0,
    deliver: 0,
    'top-up': 0,
    balance: 0,
    block: 0,
    fault: 0,
    final: 0,
    audit: 0,
  } satisfies Record<Exclude<ActName, (typeof MORE)[number]>, 0>),
  ...MORE,
];

/**
 * The lines of a history file, one JSON object each; empty lines do not count.
 *
 * @throws Error that names file, line and field for what is not a line of a history; what reading a file throws.
 */
export async function* readHistory(file: string): AsyncGenerator<Line> {
  let [rest, number] = ['', 0];
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      number += 1;
      if (text.trim() !== '') yield readLine(text, `${file}:${number}`);
    }
  }
  if (rest.trim() !== '') yield readLine(rest, `${file}:${number + 1}`);
}

function readLine(text: string, where: string): Line {
  let line: Partial<Record<keyof Line, unknown>> | null;
  try {
    line = JSON.parse(text) as typeof line;
  } catch {
    throw new Error(`${where}: no JSON.`);
  }
  const wrong = line === null || typeof line !== 'object' ? 'no object' : wrongField(line);
  if (wrong) throw new Error(`${where}: ${wrong}.`);
  return line as Line;
}

function wrongField({ t, process, type, f, n, value }: Partial<Record<keyof Line, unknown>>): string | null {
  if (!Number.isFinite(t)) return 't is no number';
  if (typeof process !== 'string') return 'process is no text';
  if (!TYPES.includes(type as string)) return `type is none of ${TYPES.join(', ')}`;
  if (!NAMES.includes(f as string)) return `f is none of ${NAMES.join(', ')}`;
  if (!Number.isFinite(n)) return 'n is no number';
  return typeof value === 'object' && value !== null ? null : 'value is no object';
}
