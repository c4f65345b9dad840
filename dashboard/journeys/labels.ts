import type { JourneyGoal } from '../../domain/journeys/journey';
import type { ShownStep, StepFields } from '../../operations/journeys/journey-view';
import type { WrittenCondition, WrittenJourney } from '../../operations/journeys/journey-file-format';
import { exactDuration, parseDuration } from '../../lib/duration';
import { filled, type Texts } from '../texts/texts';
import type { DoneStep, Enrolled, ShownJourney } from './read';

/** True if the table has the word, which somebody may have written. */
const isIn = <K extends string>(table: Readonly<Record<K, unknown>>, word: string): word is K =>
  Object.hasOwn(table, word);

const KINDS = {
  email: 'journeysEmail',
  wait: 'journeysWait',
  webhook: 'journeysWebhook',
  add_to_audience: 'journeysJoin',
  branch: 'journeysBranch',
} as const satisfies Record<StepFields['type'], keyof Texts>;

/** The kind of a step. */
export const kindText = (t: Texts, type: StepFields['type']): string => t[KINDS[type]];

/** What a step does, without its kind. */
export function stepText(t: Texts, step: StepFields): string {
  switch (step.type) {
    case 'email':
      return step.subject;
    case 'wait':
      return durationText(t, step.for);
    case 'webhook':
      return step.url;
    case 'add_to_audience':
      return step.audience ?? String(step.audience_id);
    case 'branch':
      return questionText(t, step.if);
  }
}

const UNITS: Readonly<Record<string, string>> = { d: 'day', h: 'hour', m: 'minute', s: 'second' };

/** A duration of a journey, such as `1d12h`, in words; one that cannot be read stays as it is. */
export function durationText(t: Texts, duration: string): string {
  const written = normalized(duration);
  const parts = [...written.matchAll(/(\d+)([dhms])/g)].map(([, n, unit]) => {
    const form = { style: 'unit', unit: UNITS[unit ?? ''] ?? 'second', unitDisplay: 'long' } as const;
    return new Intl.NumberFormat(t.locale, form).format(Number(n));
  });
  return parts.join(' ') || duration;
}

function normalized(duration: string): string {
  try {
    return exactDuration(parseDuration(duration));
  } catch {
    return '';
  }
}

/** What a branch asks. */
export function questionText(t: Texts, condition: WrittenCondition): string {
  if (condition === 'goal') return t.journeysIfGoal;
  return 'opened' in condition
    ? filled(t.journeysIfOpened, { step: condition.opened })
    : filled(t.journeysIfClicked, { step: condition.clicked });
}

/** How many contacts are at a step; empty when nobody was. */
export function countsText(t: Texts, { counts }: ShownStep): string {
  if (!counts || (counts.now === 0 && counts.passed === 0)) return '';
  const parts = [filled(t.journeysNow, { n: counts.now }), filled(t.journeysPassed, { n: counts.passed })];
  if (counts.refused > 0) parts.push(filled(t.journeysRefused, { n: counts.refused }));
  return parts.join(' · ');
}

const TRIGGERS = {
  api: 'journeysByApi',
  audience_join: 'journeysByJoin',
  form_subscribe: 'journeysByForm',
} as const satisfies Record<ShownJourney['trigger_type'], keyof Texts>;

/** Who enters. */
export function triggerText(t: Texts, trigger: string, audience: string | undefined): string {
  const how = isIn(TRIGGERS, trigger) ? t[TRIGGERS[trigger]] : trigger;
  return audience === undefined ? how : `${how}: ${audience}`;
}

const GOALS = {
  conversion: 'journeysGoalSale',
  click: 'journeysGoalClick',
  open: 'journeysGoalOpen',
} as const satisfies Record<JourneyGoal['event'], keyof Texts>;

/** What counts as the goal. */
export function goalText(t: Texts, { event, ends }: NonNullable<WrittenJourney['goal']>): string {
  const what = isIn(GOALS, event) ? t[GOALS[event]] : event;
  return ends ? `${what}, ${t.journeysGoalEnds}` : what;
}

const STANDS = {
  active: 'journeysStandsIn',
  completed: 'journeysStandsDone',
  left: 'journeysStandsLeft',
} as const satisfies Record<Enrolled['status'], keyof Texts>;
/** Where a contact is in a journey. */
export const standText = (t: Texts, status: Enrolled['status']): string => t[STANDS[status]];

const REASONS: Readonly<Record<string, keyof Texts>> = {
  unsubscribed: 'journeysLeftUnsubscribed',
  bounced: 'journeysLeftBounced',
  complained: 'journeysLeftComplained',
  suppressed: 'journeysLeftSuppressed',
  deleted: 'journeysLeftDeleted',
  removed: 'journeysLeftRemoved',
  goal: 'journeysLeftGoal',
};
/** Why a contact left. */
export function reasonText(t: Texts, reason: string): string {
  const key = REASONS[reason];
  return key ? t[key] : reason;
}

const OUTCOMES: Readonly<Record<string, keyof Texts>> = {
  email: 'journeysDidMail',
  wait: 'journeysDidWait',
  webhook: 'journeysDidPost',
  add_to_audience: 'journeysDidJoin',
};
/** What became of a step for a contact. */
export function outcomeText(t: Texts, { type, outcome }: Pick<DoneStep, 'type' | 'outcome'>): string {
  if (outcome === 'refused') return t.journeysDidNot;
  if (outcome === 'then') return t.yes;
  if (outcome === 'else') return t.no;
  const key = OUTCOMES[type];
  return key ? t[key] : outcome;
}

/** Every step in the order of its number, those within branches included. */
export const flat = (steps: readonly ShownStep[]): ShownStep[] =>
  steps.flatMap((one) => (one.type === 'branch' ? [one, ...flat(one.then), ...flat(one.else)] : [one]));
