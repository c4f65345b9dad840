import { JOURNEY_SECRET_LENGTH, journeySecretContext } from '../domain/journeys/journey';
import { countSteps } from '../domain/journeys/journey-flow';
import { randomText } from '../lib/random-text';
import type { Session, VerbSpec } from './support/command';
import { reference } from './support/input';
import { answerJourney, JOURNEY_ARGS, readJourneyArgs } from './support/journey-answer';
import { JOURNEY_FILE, readJourneyFile } from './support/journey-file';
import { findWorkspace, unknownJourney } from './support/lookups';
import { printable } from './support/text';

const WORKSPACE = ['<workspace>', 'id or name'] as const;

const FORM = `The file:

  name: Sambutan
  trigger: api            # or audience_join, form_subscribe
  audience: Pelanggan     # with audience_join; with form_subscribe: that form only
  goal: {event: click, ends: true}    # or conversion, open
  steps:
    - {type: email, domain: melati.example, subject: Halo, html: <p>Halo</p>}
    - {type: wait, for: 3d}
    - {type: webhook, url: "https://toko.example/hook"}
    - {type: add_to_audience, audience: Lama}
    - {type: branch, if: {opened: 1}, then: [], else: []}   # or {clicked: 1}, goal

docs/journeys.md explains it.`;

/** Seals a new secret. */
async function newSecret(session: Session, workspaceId: number): Promise<{ secret: string; secretSealed: string }> {
  const secret = randomText(JOURNEY_SECRET_LENGTH);
  const keyring = await session.keyring();
  return { secret, secretSealed: keyring.seal(secret, journeySecretContext(workspaceId)) };
}

const validate: VerbSpec = {
  name: 'validate',
  summary: 'check the file of a journey, and store nothing',
  args: [WORKSPACE, JOURNEY_FILE],
  examples: [['journey validate "Toko Melati" sambutan.yaml', 'all its faults, each with its line']],
  notes: FORM,
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const read = readJourneyFile(input);
    return async (session) => {
      const definition = await read(session, (await findWorkspace(session.stores, ref)).id);
      if (!definition.ok) return definition.answer;
      const { name, triggerType, steps } = definition.journey;
      const count = countSteps(steps);
      return {
        text: `${printable(definition.path)} is valid: ${printable(name)}, ${count} step${count === 1 ? '' : 's'}.\n`,
        json: { ok: true, errors: [], name, trigger_type: triggerType, steps: count },
      };
    };
  },
};

const create: VerbSpec = {
  name: 'create',
  summary: 'create a draft journey from a file; shows the secret that signs the requests of its webhook steps',
  args: [WORKSPACE, JOURNEY_FILE],
  examples: [['journey create "Toko Melati" sambutan.yaml', 'kurir journey activate begins it']],
  notes: FORM,
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const read = readJourneyFile(input);
    return async (session) => {
      const { id: workspaceId } = await findWorkspace(session.stores, ref);
      const definition = await read(session, workspaceId);
      if (!definition.ok) return definition.answer;
      const { secret, secretSealed } = await newSecret(session, workspaceId);
      await session.note('journey create', definition.journey.name, workspaceId);
      const journey = await session.stores.journeys.create({
        ...definition.journey,
        workspaceId,
        status: 'draft',
        secretSealed,
        createdAt: session.clock.now(),
      });
      return answerJourney(session, journey, { secret });
    };
  },
};

const edit: VerbSpec = {
  name: 'edit',
  summary: 'give a journey a new version from a file; contacts in it finish on the version they began',
  args: [...JOURNEY_ARGS, JOURNEY_FILE],
  examples: [['journey edit "Toko Melati" Sambutan sambutan.yaml', 'also while it is active']],
  notes: FORM,
  run: (input) => {
    const find = readJourneyArgs(input);
    const read = readJourneyFile(input);
    return async (session) => {
      const { id, workspaceId, name } = await find(session);
      const definition = await read(session, workspaceId);
      if (!definition.ok) return definition.answer;
      await session.note('journey edit', name, workspaceId);
      const edited = await session.stores.journeys.edit(workspaceId, id, definition.journey, session.clock.now());
      if (!edited) throw unknownJourney(name);
      return answerJourney(session, edited);
    };
  },
};

const rotateSecret: VerbSpec = {
  name: 'rotate-secret',
  summary: 'give a journey a new secret, which signs the requests of its webhook steps from now on',
  args: JOURNEY_ARGS,
  examples: [['journey rotate-secret "Toko Melati" Sambutan', 'the old one signs nothing any more']],
  run: (input) => {
    const find = readJourneyArgs(input);
    return async (session) => {
      const journey = await find(session);
      const { secret, secretSealed } = await newSecret(session, journey.workspaceId);
      await session.note('journey rotate-secret', journey.name, journey.workspaceId);
      const isStored = await session.stores.journeys.replaceSecret(journey.workspaceId, journey.id, secretSealed);
      if (!isStored) throw unknownJourney(journey.name);
      return answerJourney(session, journey, { secret });
    };
  },
};

/** The verbs that define a journey. */
export const DEFINITION_VERBS = { validate, create, edit, rotateSecret };
