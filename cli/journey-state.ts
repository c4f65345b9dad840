import type { Journey } from '../domain/journeys/journey';
import { numberSteps } from '../domain/journeys/journey-flow';
import type { Session, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { JOURNEY_ARGS, presentJourney, readJourneyArgs } from './support/journey-answer';
import { unknownJourney } from './support/lookups';
import type { Answer } from './support/output';
import { printable } from './support/text';

/** Sets the status, also if it is that already. */
async function setStatus(session: Session, journey: Journey, status: 'active' | 'paused'): Promise<Journey> {
  const { id, workspaceId, name } = journey;
  await session.note(status === 'active' ? 'journey activate' : 'journey pause', name, workspaceId);
  const changed = await session.stores.journeys.setStatus(workspaceId, id, status, session.clock.now());
  if (!changed) throw unknownJourney(name);
  return changed;
}

const answerStatus = (journey: Journey): Answer => ({
  text: `${printable(journey.name)} is ${journey.status}.\n`,
  json: presentJourney(journey),
});

/** What will be refused as long as it is as it is now. */
async function warningsOf({ stores }: Session, { workspaceId, steps }: Journey): Promise<string[]> {
  const used = new Set(numberSteps(steps).flatMap(({ step }) => (step.kind === 'email' ? [step.domainId] : [])));
  const domains = new Map((await stores.domains.list(workspaceId)).map((domain) => [domain.id, domain]));
  return [...used].flatMap((id) => {
    const domain = domains.get(id);
    if (domain?.status === 'active') return [];
    const state = domain ? `${domain.domain} is ${domain.status}` : `Sending domain ${id} is gone`;
    return [`${state}: mails from it are refused.`];
  });
}

const activate: VerbSpec = {
  name: 'activate',
  summary: 'begin a draft, or go on with a paused journey: what came due meanwhile runs now',
  args: JOURNEY_ARGS,
  examples: [['journey activate "Toko Melati" Sambutan', 'contacts may enter it']],
  run: (input) => {
    const find = readJourneyArgs(input);
    return async (session) => {
      const journey = await setStatus(session, await find(session), 'active');
      const warnings = await warningsOf(session, journey);
      const { text, json } = answerStatus(journey);
      const lines = warnings.map((warning) => `${session.paint('warn', 'warning')}  ${printable(warning)}\n`);
      return { text: text + lines.join(''), json: { ...json, warnings } };
    };
  },
};

const pause: VerbSpec = {
  name: 'pause',
  summary: 'stop a journey: no contact enters it, and those in it keep their places',
  args: JOURNEY_ARGS,
  examples: [['journey pause "Toko Melati" Sambutan', 'kurir journey activate goes on with it']],
  run: (input) => {
    const find = readJourneyArgs(input);
    return async (session) => {
      const journey = await find(session);
      if (journey.status === 'draft') {
        throw new CommandError(`<journey>: "${journey.name}" is a draft.`, 'It does not run yet.', '<journey>');
      }
      return answerStatus(await setStatus(session, journey, 'paused'));
    };
  },
};

const remove: VerbSpec = {
  name: 'delete',
  summary: 'delete a draft that no contact ever entered',
  args: JOURNEY_ARGS,
  examples: [['journey delete "Toko Melati" Sambutan', 'cannot be undone']],
  run: (input) => {
    const find = readJourneyArgs(input);
    return async (session) => {
      const { id, workspaceId, name } = await find(session);
      await session.note('journey delete', name, workspaceId);
      const outcome = await session.stores.journeys.delete(workspaceId, id);
      if (outcome === 'no_journey') throw unknownJourney(name);
      if (outcome === 'in_use') {
        throw new CommandError(
          `<journey>: "${name}" is no draft, or contacts entered it.`,
          'kurir journey pause stops it; what it did stays on record.',
          '<journey>',
        );
      }
      return { text: `${printable(name)} is deleted.\n`, json: { id, name, deleted: true } };
    };
  },
};

/** The verbs that begin, stop and delete a journey. */
export const STATE_VERBS = { activate, pause, remove };
