import { stringify } from 'yaml';
import type { WrittenCondition, WrittenJourney, WrittenStep } from '../../operations/journeys/journey-file-format';

/** A definition as the file that operations read. */
export const fileOf = (journey: WrittenJourney): string =>
  stringify(journey, { lineWidth: 0, aliasDuplicateObjects: false });

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A definition out of a draft, which may have faults; null when it is not even steps, so that only its text helps. */
export function readWritten(given: unknown): WrittenJourney | null {
  if (!isFields(given)) return null;
  const { name, trigger, audience, goal, steps } = given;
  const read = readSteps(steps ?? []);
  return (
    read && {
      name: text(name),
      trigger: text(trigger),
      ...(text(audience) !== '' && { audience: text(audience) }),
      ...(isFields(goal) && { goal: { event: text(goal['event']), ends: String(goal['ends']) === 'true' } }),
      steps: read,
    }
  );
}

function readSteps(given: unknown): WrittenStep[] | null {
  if (!Array.isArray(given)) return null;
  const steps = given.map(readStep);
  return steps.every((step) => step !== null) ? steps : null;
}

function readStep(given: unknown): WrittenStep | null {
  if (!isFields(given)) return null;
  const { type, domain, subject, html, text: plain, url, audience } = given;
  switch (type) {
    case 'email': {
      const mail = { domain: text(domain), subject: text(subject), html: text(html) };
      return { type, ...mail, ...(text(plain) !== '' && { text: text(plain) }) };
    }
    case 'wait':
      return { type, for: text(given['for']) };
    case 'webhook':
      return { type, url: text(url) };
    case 'add_to_audience':
      return { type, audience: text(audience) };
    case 'branch': {
      const [then, otherwise] = [readSteps(given['then'] ?? []), readSteps(given['else'] ?? [])];
      return then && otherwise && { type, if: readCondition(given['if']), then, else: otherwise };
    }
    default:
      return null;
  }
}

function readCondition(given: unknown): WrittenCondition {
  if (!isFields(given)) return given === 'goal' ? 'goal' : { opened: 0 };
  return 'clicked' in given ? { clicked: Number(given['clicked']) } : { opened: Number(given['opened']) };
}
