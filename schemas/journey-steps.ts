import Joi, { type CustomHelpers, type Schema } from 'joi';
import { DAY, MINUTE } from '../lib/clock';
import { parseDuration } from '../lib/duration';
import type { JourneyStep } from '../domain/journey';
import { readUrl } from '../lib/read-url';
import { text } from './text';

const MAX_STEPS = 100;
const MAX_SUBJECT = 255;
const MAX_BODY = 500_000;
const MAX_URL = 255;

const TYPES = ['email', 'wait', 'webhook', 'add_to_audience'] as const;
type Type = (typeof TYPES)[number];

/** A step as the operator writes it. */
interface WrittenStep {
  type: Type;
  domain_id?: number;
  subject?: string;
  html?: string;
  text?: string | null;
  /** ms, after parsing. */
  for?: number;
  url?: string;
  audience_id?: number;
}

const only = (type: Type, rules: Schema) => Joi.when('type', { is: type, then: rules, otherwise: Joi.forbidden() });

const wait = Joi.string().custom((value: string, { error }: CustomHelpers<string>) => {
  try {
    const ms = parseDuration(value);
    return ms >= MINUTE && ms <= 365 * DAY ? ms : error('duration.invalid');
  } catch {
    return error('duration.invalid');
  }
});

/** The address behind the host name is checked with every request. */
const httpsUrl = text(MAX_URL, (value, { error }) => {
  const url = readUrl(value);
  const plain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return plain ? value : error('https.invalid');
});

const id = Joi.number().integer().min(1).required();

/** The steps of a journey as the operator writes them, in the field `steps` (docs/contract.md#steps-of-a-journey). */
export const journeyStepsRules = Joi.object<{ steps: WrittenStep[] }>({
  steps: Joi.array()
    .min(1)
    .max(MAX_STEPS)
    .required()
    .items(
      Joi.object({
        type: Joi.any()
          .valid(...TYPES)
          .required(),
        domain_id: only('email', id),
        subject: only('email', text(MAX_SUBJECT).required()),
        html: only('email', text(MAX_BODY).required()),
        text: only('email', text(MAX_BODY).allow(null)),
        for: only('wait', wait.required()),
        url: only('webhook', httpsUrl.required()),
        audience_id: only('add_to_audience', id),
      }),
    ),
});

/** Converts a valid step. */
export function toStep(step: WrittenStep): JourneyStep {
  const { type, domain_id: domainId = 0, subject = '', html = '', text = null, audience_id: audienceId = 0 } = step;
  if (type === 'email') return { kind: 'email', domainId, subject, html, text };
  if (type === 'wait') return { kind: 'wait', ms: step.for ?? 0 };
  if (type === 'webhook') return { kind: 'webhook', url: step.url ?? '' };
  return { kind: 'add_to_audience', audienceId };
}
