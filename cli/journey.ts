import type { Command } from 'commander';
import { CONTACT_VERBS } from './journey-contacts';
import { DEFINITION_VERBS } from './journey-definition';
import { STATE_VERBS } from './journey-state';
import type { Commands, VerbSpec } from './support/command';
import { reference } from './support/input';
import {
  answerJourney,
  goalText,
  JOURNEY_ARGS,
  namesIn,
  presentJourney,
  readJourneyArgs,
} from './support/journey-answer';
import { countJourney } from './support/journey-counts';
import { journeyMermaid } from './support/journey-mermaid';
import { findWorkspace } from './support/lookups';
import { table } from './support/table';
import { showTime } from './support/times';

const show: VerbSpec = {
  name: 'show',
  summary:
    'one journey: its contacts at each step, its sales, a diagram of its newest version; its secret is shown nowhere',
  args: JOURNEY_ARGS,
  options: [['--mermaid', 'only the diagram, for tools that read Mermaid']],
  examples: [
    ['journey show "Toko Melati" Sambutan', 'its steps, as a tree'],
    ['journey show "Toko Melati" Sambutan --mermaid', 'its steps, as a flowchart'],
  ],
  run: (input) => {
    const find = readJourneyArgs(input);
    const asMermaid = input.has('mermaid');
    return async (session) => {
      const journey = await find(session);
      const sales = await session.stores.conversions.ofJourney(journey.id);
      const answer = await answerJourney(session, journey, {
        sales,
        counts: await countJourney(session.stores, journey),
      });
      if (!asMermaid) return answer;
      const mermaid = journeyMermaid(journey, await namesIn(session, journey.workspaceId));
      return { text: mermaid, json: { ...answer.json, mermaid } };
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'the journeys of a workspace',
  args: [['<workspace>', 'id or name']],
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
            { title: 'version' },
            { title: 'goal' },
            { title: 'created' },
          ],
          journeys.map((journey) => [
            journey.id,
            journey.name,
            journey.status,
            journey.triggerType,
            journey.version,
            goalText(journey.goal),
            showTime(journey.createdAt),
          ]),
          'No journeys yet. Create one: kurir journey create <workspace> <file>',
        ),
        json: { data: journeys.map(presentJourney) },
      };
    };
  },
};

/** The `kurir journey` commands. */
export const journeyCommand = (commands: Commands): Command =>
  commands.group('journey', 'journeys: automated sequences that contacts go through', [
    DEFINITION_VERBS.validate,
    DEFINITION_VERBS.create,
    DEFINITION_VERBS.edit,
    show,
    list,
    STATE_VERBS.activate,
    ...CONTACT_VERBS,
    STATE_VERBS.pause,
    STATE_VERBS.remove,
    DEFINITION_VERBS.rotateSecret,
  ]);
