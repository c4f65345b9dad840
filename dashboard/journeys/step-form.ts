import { AUDIENCE } from '../../operations/contacts/audience';
import type { ObjectSchema } from '../../operations/definition';
import { DOMAIN } from '../../operations/domains/domain';
import type { WrittenJourney, WrittenStep } from '../../operations/journeys/journey-file-format';
import { fieldOf, type FormFields, type Visit } from '../kit/screen';
import type { FieldOptions } from '../kit/forms';
import { questionText } from './labels';
import { workspaceOf } from '../kit/workspace-scope';
import { flatSteps } from './edit-steps';

export type StepType = WrittenStep['type'];
export const STEP_TYPES: readonly StepType[] = ['email', 'wait', 'branch', 'webhook', 'add_to_audience'];

const UNITS = ['d', 'h', 'm'] as const;
const MINUTES = { d: 1_440, h: 60, m: 1 } as const;

/** The fields of the form of a kind of step, and what each must be. */
export interface StepForm {
  schema: ObjectSchema;
  fields: Readonly<Record<string, FieldOptions>>;
}

const TEXT = { type: 'string' } as const;
const formOf = (required: readonly string[], fields: StepForm['fields']): StepForm => ({
  schema: { properties: Object.fromEntries(Object.keys(fields).map((name) => [name, TEXT])), required },
  fields,
});

/** The form of a kind of step. `number` is that of the step: a question may ask for the mails before it. */
export async function stepForm(
  visit: Visit,
  type: StepType,
  journey: WrittenJourney,
  number: number,
): Promise<StepForm> {
  const { t } = visit;
  const workspace = workspaceOf(visit);
  switch (type) {
    case 'email': {
      const { data } = await visit.read(DOMAIN.list, { workspace });
      // Those that can send come first: the first is chosen.
      const domains = [...data].sort((a, b) => Number(b.status === 'active') - Number(a.status === 'active'));
      return formOf(['domain', 'subject', 'html'], {
        domain: { label: t.journeysDomain, choices: domains.map(({ domain }) => ({ value: domain, label: domain })) },
        subject: { label: t.journeysSubject, help: t.journeysSubjectHelp },
        html: { label: t.journeysHtml, lines: 'code' },
        text: { label: t.journeysText, help: t.journeysTextHelp, lines: 'text' },
      });
    }
    case 'wait': {
      const names = { d: t.journeysDays, h: t.journeysHours, m: t.journeysMinutes };
      return formOf(['for', 'unit'], {
        for: { label: t.journeysHowLong, type: 'number' },
        unit: { label: t.journeysUnit, choices: UNITS.map((value) => ({ value, label: names[value] })) },
      });
    }
    case 'webhook':
      return formOf(['url'], { url: { label: t.journeysUrl, help: t.journeysUrlHelp, type: 'url' } });
    case 'add_to_audience': {
      const { data } = await visit.read(AUDIENCE.list, { workspace });
      const choices = data.map(({ id, name }) => ({ value: id, label: name }));
      return formOf(['audience'], { audience: { label: t.journeysAudience, choices } });
    }
    case 'branch':
      return formOf(['if'], { if: { label: t.journeysAsk, choices: questions(visit, journey, number) } });
  }
}

function questions({ t }: Visit, { goal, steps }: WrittenJourney, number: number): { value: string; label: string }[] {
  const mails = flatSteps(steps)
    .slice(0, number - 1)
    .flatMap((step, place) => (step.type === 'email' ? [{ step: place + 1, subject: step.subject }] : []));
  return [
    ...mails.flatMap(({ step, subject }) => [
      { value: `opened ${step}`, label: `${questionText(t, { opened: step })} (${subject})` },
      { value: `clicked ${step}`, label: `${questionText(t, { clicked: step })} (${subject})` },
    ]),
    ...(goal ? [{ value: 'goal', label: t.journeysIfGoal }] : []),
  ];
}

/** What the form of a step has in its fields. `audiences` are the ids by name. */
export function valuesOf(step: WrittenStep, audiences: ReadonlyMap<string, number>): Record<string, unknown> {
  switch (step.type) {
    case 'wait':
      return waitValues(step.for);
    case 'branch':
      return { if: step.if === 'goal' ? 'goal' : Object.entries(step.if).flat().join(' ') };
    case 'add_to_audience':
      return { audience: audiences.get(step.audience) ?? step.audience };
    default:
      return { ...step };
  }
}

function waitValues(duration: string): Record<string, unknown> {
  const parts = [...duration.matchAll(/(\d+)([dhm])/g)];
  const minutes = parts.reduce((sum, [, n, unit]) => sum + Number(n) * MINUTES[unit as 'd' | 'h' | 'm'], 0);
  const unit = UNITS.find((one) => minutes % MINUTES[one] === 0) ?? 'm';
  return { for: minutes / MINUTES[unit], unit };
}

/** The step that a form says. */
export function stepOf(type: StepType, form: FormFields): WrittenStep {
  const field = (name: string): string => fieldOf(form, name);
  switch (type) {
    case 'email': {
      const mail = { domain: field('domain'), subject: field('subject'), html: field('html') };
      return { type, ...mail, ...(field('text') !== '' && { text: field('text') }) };
    }
    case 'wait':
      return { type, for: `${field('for').trim()}${field('unit')}` };
    case 'webhook':
      return { type, url: field('url') };
    case 'add_to_audience':
      return { type, audience: field('audience') };
    case 'branch': {
      const [kind, step] = field('if').split(' ');
      const on = kind === 'clicked' ? { clicked: Number(step) } : { opened: Number(step) };
      return { type, if: kind === 'goal' ? 'goal' : on, then: [], else: [] };
    }
  }
}
