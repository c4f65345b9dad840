import type { Command } from 'commander';
import {
  GOAL_EVENTS,
  JOURNEY_SECRET_LENGTH,
  JOURNEY_STATUSES,
  JOURNEY_TRIGGERS,
  journeySecretContext,
  type Journey,
  type JourneyGoal,
  type JourneyStep,
} from '../domain/journey';
import { randomText } from '../lib/random-text';
import type { Stores } from '../stores/ports';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError, UsageError } from './support/errors';
import { oneOf, reference, text, type Input } from './support/input';
import { journeySteps, presentStep, stepLine } from './support/journey-steps';
import { findAudience, findJourney, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const JOURNEY = ['<journey>', 'id or name'] as const;

const present = (journey: Journey) => ({
  id: journey.id,
  name: journey.name,
  status: journey.status,
  trigger_type: journey.triggerType,
  audience_id: journey.audienceId,
  goal: journey.goal,
  created_at: jsonTime(journey.createdAt),
});

const goalText = (goal: JourneyGoal | null): string | null => goal && `${goal.event}${goal.ends ? ', ends it' : ''}`;

function answerJourney({ paint }: Session, journey: Journey, secret: string): Answer {
  const head = fields(paint, [
    ['id', journey.id],
    ['name', journey.name],
    ['status', journey.status, 'status'],
    ['trigger', journey.triggerType],
    ['audience', journey.audienceId],
    ['goal', goalText(journey.goal)],
    ['secret', secret],
    ['created', showTime(journey.createdAt)],
    ...journey.steps.map((step, n) => [`step ${n + 1}`, stepLine(step)] as const),
  ]);
  return { text: head, json: { ...present(journey), secret, steps: journey.steps.map(presentStep) } };
}

function readGoal(input: Input): JourneyGoal | null {
  const event = input.option('goal', oneOf(...GOAL_EVENTS));
  const ends = input.has('goalEnds');
  if (event !== undefined) return { event, ends };
  if (ends) throw new UsageError('--goal-ends needs a goal.', 'Add --goal.', '--goal-ends');
  return null;
}

function readTrigger(input: Input): { triggerType: Journey['triggerType']; audience: string | undefined } {
  const triggerType = input.needed('trigger', oneOf(...JOURNEY_TRIGGERS));
  const audience = input.option('audience', reference);
  const needed = triggerType === 'audience_join';
  if (needed === (audience !== undefined)) return { triggerType, audience };
  throw new UsageError(
    needed ? '--audience is missing.' : `--audience does not apply to the trigger ${triggerType}.`,
    needed ? 'Give the audience whose joins trigger it.' : 'Leave it out.',
    '--audience',
  );
}

/** Everything the steps name must belong to the workspace. */
async function refuseForeign(
  { domains, audiences }: Pick<Stores, 'domains' | 'audiences'>,
  workspaceId: number,
  steps: readonly JourneyStep[],
): Promise<void> {
  for (const [n, step] of steps.entries()) {
    const fault =
      step.kind === 'email' && (await domains.get(step.domainId))?.workspaceId !== workspaceId
        ? `sending domain ${step.domainId}`
        : step.kind === 'add_to_audience' && !(await audiences.get(workspaceId, step.audienceId))
          ? `audience ${step.audienceId}`
          : null;
    if (fault)
      throw new CommandError(
        `--steps: step ${n + 1} names ${fault}, which this workspace does not have.`,
        '',
        '--steps',
      );
  }
}

const create: VerbSpec = {
  name: 'create',
  summary: 'create a draft journey: a sequence of steps that contacts go through',
  args: [WORKSPACE, ['<name>', 'name of the journey']],
  options: [
    ['--trigger <type>', 'what makes contacts enter it: form_subscribe, audience_join or api'],
    ['--audience <audience>', 'id or name of the audience whose joins trigger it, with audience_join'],
    ['--steps <file>', 'JSON file with the list of its steps'],
    ['--goal <event>', 'what reaches its goal: conversion, click or open'],
    ['--goal-ends', 'the goal ends it'],
  ],
  examples: [
    ['journey create "Toko Melati" Sambutan --trigger api --steps sambutan.json', 'entered through the API'],
    [
      'journey create melati Beli --trigger audience_join --audience Baru --steps beli.json --goal conversion --goal-ends',
      'until they buy',
    ],
  ],
  notes:
    'Steps: {"type": "email", "domain_id", "subject", "html", "text"}, {"type": "wait", "for": "3d"}, {"type": "webhook", "url"}, ' +
    '{"type": "add_to_audience", "audience_id"}. The secret shown signs the posts of webhook steps.',
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('name', text());
    const { triggerType, audience } = readTrigger(input);
    const steps = input.needed('steps', journeySteps);
    const goal = readGoal(input);
    return async (session) => {
      const { stores } = session;
      const { id: workspaceId } = await findWorkspace(stores, ref);
      const joined = audience === undefined ? null : await findAudience(stores, workspaceId, audience, '--audience');
      await refuseForeign(stores, workspaceId, steps);
      const secret = randomText(JOURNEY_SECRET_LENGTH);
      const secretSealed = (await session.keyring()).seal(secret, journeySecretContext(workspaceId));
      await session.note('journey create', name, workspaceId);
      const journey = await stores.journeys.create({
        workspaceId,
        name,
        status: 'draft',
        triggerType,
        audienceId: joined && joined.id,
        steps,
        goal,
        secretSealed,
        createdAt: session.clock.now(),
      });
      return answerJourney(session, journey, secret);
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'the journeys of a workspace',
  args: [WORKSPACE],
  examples: [['journey list "Toko Melati"', 'one per line']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async ({ stores, paint }) => {
      const journeys = await stores.journeys.list((await findWorkspace(stores, ref)).id);
      return {
        text: table(
          paint,
          [
            { title: 'id' },
            { title: 'name' },
            { title: 'status', status: true },
            { title: 'trigger' },
            { title: 'steps' },
            { title: 'goal' },
            { title: 'created' },
          ],
          journeys.map((journey) => [
            journey.id,
            journey.name,
            journey.status,
            journey.triggerType,
            journey.steps.length,
            goalText(journey.goal),
            showTime(journey.createdAt),
          ]),
          'No journeys yet. Create one: kurir journey create <workspace> <name>',
        ),
        json: { data: journeys.map(present) },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'one journey: its steps, and the secret that signs its webhook posts',
  args: [WORKSPACE, JOURNEY],
  examples: [['journey show "Toko Melati" Sambutan', 'viewing the secret is logged']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('journey', reference);
    return async (session) => {
      const { id } = await findWorkspace(session.stores, ref);
      const journey = await findJourney(session.stores, id, name);
      const keyring = await session.keyring();
      await session.note('journey show', journey.name, id);
      return answerJourney(session, journey, keyring.open(journey.secretSealed, journeySecretContext(id)));
    };
  },
};

const status: VerbSpec = {
  name: 'status',
  summary: 'make a journey active, or stop it',
  args: [WORKSPACE, JOURNEY, ['<status>', 'draft, active or paused']],
  examples: [
    ['journey status "Toko Melati" Sambutan active', 'contacts may enter it'],
    ['journey status melati 4 paused', 'no contact can enter it'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('journey', reference);
    const next = input.arg('status', oneOf(...JOURNEY_STATUSES));
    return async (session) => {
      const { id } = await findWorkspace(session.stores, ref);
      const journey = await findJourney(session.stores, id, name);
      await session.note('journey status', `${journey.name}: ${next}`, id);
      await session.stores.journeys.setStatus(id, journey.id, next);
      return { text: `${journey.name} is ${next}\n`, json: present({ ...journey, status: next }) };
    };
  },
};

/** The `kurir journey` commands. */
export const journeyCommand = (commands: Commands): Command =>
  commands.group('journey', 'journeys: automated sequences that contacts go through', [create, list, show, status]);
