import { GOAL_EVENTS, JOURNEY_TRIGGERS, type JourneyDefinition, type JourneyGoal } from '../../domain/journeys/journey';
import { noun } from '../rules/nouns';
import { Faults, type LineFault } from './faults';
import { FieldReader, lineOf, oneOf, yesOrNo, type Read } from './field-reader';
import { fileFault } from './file-faults';
import { parseYaml, type YamlMap, type YamlNode } from './parse-yaml';
import { StepsReader } from './read-steps';
import { referenceTo, type JourneyFileContext } from './references';

export type ReadJourney = { ok: true; journey: JourneyDefinition } | { ok: false; errors: LineFault[] };

const MAX_NAME = 255;

/**
 * Reads the YAML file of a journey (docs/journeys.md#the-file; docs/contract.md#steps-of-a-journey). Every fault has
 * its line and a sentence, all of them at once.
 */
export function readJourney(content: string, context: JourneyFileContext): ReadJourney {
  const faults = new Faults();
  const root = parseYaml(content, faults);
  const journey = root && readRoot(root, context, faults);
  return journey && faults.count === 0 ? { ok: true, journey } : { ok: false, errors: faults.list() };
}

function readRoot(root: YamlNode, context: JourneyFileContext, faults: Faults): JourneyDefinition | null {
  if (root.kind !== 'map') {
    faults.add(root.line, fileFault('no_fields'));
    return null;
  }
  const fields = new FieldReader(root, faults);
  const name = fields.required('name', lineOf(MAX_NAME));
  const triggerType = fields.required('trigger', oneOf(...JOURNEY_TRIGGERS));
  const audienceId = fields.optional('audience', referenceTo(context.audiences, noun('audience')));
  const goal = fields.optional('goal', goalOf(faults));
  const list = fields.required('steps', (value, refuse) => {
    if (value.kind !== 'list') return refuse('array.base');
    return value.items.length === 0 ? refuse('array.min') : value;
  });
  const steps = list && new StepsReader({ context, faults, hasGoal: fields.has('goal') }).readAll(list);
  fields.refuseOthers();
  checkAudience(fields, triggerType);
  return name === null || triggerType === null || !steps ? null : { name, triggerType, audienceId, goal, steps };
}

/** Joins are those of one audience; a form belongs to one audience, or to none; the API names contacts itself. */
function checkAudience(fields: FieldReader, triggerType: JourneyDefinition['triggerType'] | null): void {
  const isGiven = fields.has('audience');
  if (triggerType === 'audience_join' && !isGiven) {
    fields.fault('trigger', fileFault('needs_audience', { field: 'audience' }));
  }
  if (triggerType === 'api' && isGiven) fields.fault('audience', fileFault('no_audience', { field: 'audience' }));
}

const goalOf =
  (faults: Faults): Read<JourneyGoal> =>
  (value, refuse) =>
    value.kind === 'map' ? readGoal(value, faults) : refuse('object.base');

function readGoal(map: YamlMap, faults: Faults): JourneyGoal | null {
  const fields = new FieldReader(map, faults, (reason) => fileFault('goal', { reason }));
  const event = fields.required('event', oneOf(...GOAL_EVENTS));
  const ends = fields.optional('ends', yesOrNo);
  fields.refuseOthers();
  return event && { event, ends: ends ?? false };
}
