import { exactDuration, parseDuration } from '../../lib/duration';
import { filled, type Texts } from '../texts/texts';
import type { Condition, DoneStep, Enrolled, Goal, ShownJourney, Step } from './shape';

const KINDS = {
  email: 'journeysEmail',
  wait: 'journeysWait',
  webhook: 'journeysWebhook',
  add_to_audience: 'journeysJoin',
  branch: 'journeysBranch',
} as const satisfies Record<Step['type'], keyof Texts>;

/** The kind of a step. */
export const kindText = (t: Texts, type: Step['type']): string => t[KINDS[type]];

/** What a step does, without its kind. */
export function stepText(t: Texts, step: Step): string {
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
    return new Intl.NumberFormat(t.journeysLocale, form).format(Number(n));
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
export function questionText(t: Texts, condition: Condition): string {
  if (condition === 'goal') return t.journeysIfGoal;
  return 'opened' in condition
    ? filled(t.journeysIfOpened, { step: condition.opened })
    : filled(t.journeysIfClicked, { step: condition.clicked });
}

/** How many contacts are at a step; empty when nobody was. */
export function countsText(t: Texts, { counts }: Step): string {
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
export const triggerText = (t: Texts, trigger: ShownJourney['trigger_type'], audience: string | undefined): string =>
  audience === undefined ? t[TRIGGERS[trigger]] : `${t[TRIGGERS[trigger]]}: ${audience}`;

const GOALS = {
  conversion: 'journeysGoalSale',
  click: 'journeysGoalClick',
  open: 'journeysGoalOpen',
} as const satisfies Record<Goal['event'], keyof Texts>;

/** What counts as the goal. */
export const goalText = (t: Texts, { event, ends }: Goal): string =>
  ends ? `${t[GOALS[event]]}, ${t.journeysGoalEnds}` : t[GOALS[event]];

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
export const flat = (steps: readonly Step[]): Step[] =>
  steps.flatMap((one) => (one.type === 'branch' ? [one, ...flat(one.then), ...flat(one.else)] : [one]));
