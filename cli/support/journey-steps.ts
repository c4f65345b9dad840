import { SECOND } from '../../lib/clock';
import { formatDuration, parseDuration } from '../../lib/duration';
import type { JourneyStep } from '../../domain/journey';
import { journeyStepsRules, toStep } from '../../schemas/journey-steps';
import { summary } from '../../schemas/validation-messages';
import { validate } from '../../schemas/rules';
import { fileText, type Read } from './input';
import { printable } from './text';

/** Characters of a file of steps. */
const MAX_FILE = 10_000_000;

/** The steps in a JSON file. */
export const journeySteps: Read<JourneyStep[]> = (path) => {
  const read = validate(journeyStepsRules, { steps: parse(fileText(MAX_FILE)(path)) });
  if (read.ok) return read.value.steps.map(toStep);
  throw new RangeError(`must contain the steps of a journey: ${summary(read.errors)}`);
};

function parse(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new RangeError(`must be a JSON file: ${printable((error as Error).message)}`, { cause: error });
  }
}

/** A step as text for people. */
export function stepLine(step: JourneyStep): string {
  switch (step.kind) {
    case 'email':
      return `email "${step.subject}" from domain ${step.domainId}`;
    case 'wait':
      return `wait ${formatDuration(step.ms)}`;
    case 'webhook':
      return `webhook ${step.url}`;
    case 'add_to_audience':
      return `add to audience ${step.audienceId}`;
  }
}

/** In the two largest units if that is exact. */
function exactly(ms: number): string {
  const written = formatDuration(ms).replace(' ', '');
  return parseDuration(written) === ms ? written : `${ms / SECOND}s`;
}

/** A step as JSON, as it is written in the file. */
export function presentStep(step: JourneyStep): object {
  switch (step.kind) {
    case 'email':
      return { type: 'email', domain_id: step.domainId, subject: step.subject, html: step.html, text: step.text };
    case 'wait':
      return { type: 'wait', for: exactly(step.ms) };
    case 'webhook':
      return { type: 'webhook', url: step.url };
    case 'add_to_audience':
      return { type: 'add_to_audience', audience_id: step.audienceId };
  }
}
