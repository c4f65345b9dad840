import type { Finding } from './finding';
import type { Line } from './history';

/** Lines of a story that are printed; the middle of a longer one is left out. */
const SHOWN = 200;

/**
 * The lines of a message or workspace as readable text: who did what, when, and which of it the judge means.
 */
export function tellStory(finding: Finding, history: Iterable<Line>): string {
  const meant = new Set(finding.lines);
  const lines = linesAbout(finding, [...history]);
  const left = lines.length - SHOWN;
  const half = SHOWN / 2;
  const shown = left > 0 ? [...lines.slice(0, half), null, ...lines.slice(-half)] : lines;
  const told = shown.map((line) => (line ? tell(line, finding.subject, meant.has(line)) : `  ... ${left} more`));
  return [`${finding.subject}: ${finding.text} (${finding.rule})`, ...told].join('\n');
}

interface Facts {
  message?: string;
  workspace?: number;
  hook?: string;
}

/** The lines of the subject, with both ends of each act, and the faults between the first and the last. */
function linesAbout({ subject, lines }: Finding, history: readonly Line[]): Line[] {
  const [kind, name] = [subject.split(' ')[0], subject.slice(subject.indexOf(' ') + 1)];
  const acts = new Set(lines.map(({ n }) => n));
  const isAbout = (value: Facts): boolean =>
    (kind === 'message' && value.message === name) ||
    (kind === 'workspace' && String(value.workspace) === name) ||
    (kind === 'hook' && value.hook === name);
  for (const { n, value } of history) if (isAbout(value)) acts.add(n);
  const own = history.filter(({ n }) => acts.has(n));
  const [first, last] = [own[0]?.t ?? 0, own.at(-1)?.t ?? 0];
  return history.filter(({ n, f, t }) => acts.has(n) || (f === 'fault' && t >= first && t <= last));
}

const VERBS: Readonly<Record<Line['type'], string>> = {
  invoke: 'begins',
  ok: 'has done',
  fail: 'has not done',
  info: 'does not know of',
};

function tell(line: Line, subject: string, isMeant: boolean): string {
  const what = line.f === 'fault' ? 'suffers' : VERBS[line.type];
  const facts = Object.entries(line.value).map(([name, value]) => `${name} ${showValue(value, subject)}`);
  const about = facts.length > 0 ? `: ${facts.join(', ')}` : '';
  return `${isMeant ? '>' : ' '} ${timeOf(line.t)}  ${line.process} ${what} ${line.f}${about}`;
}

/** Of a list, only what is about the subject. */
function showValue(value: unknown, subject: string): string {
  if (!Array.isArray(value)) return String(value);
  const own = value.filter((item) => typeof item !== 'object' || item === null || isOf(item as Facts, subject));
  const shown = own.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item)));
  return `[${shown.join('; ')}${own.length < value.length ? `${own.length > 0 ? '; ' : ''}of ${value.length}` : ''}]`;
}

const isOf = ({ message }: Facts, subject: string): boolean => subject === `message ${message}`;

/** `2d 03:04:05.678` */
function timeOf(t: number): string {
  const days = Math.floor(t / 86_400_000);
  const clock = new Date(t - days * 86_400_000).toISOString().slice(11, 23);
  return `${days}d ${clock}`;
}
