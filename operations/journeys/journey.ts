import { journeyReason } from './journey-reasons';
import { type Reason } from '../../lib/reason';
import type { Journey } from '../../domain/journeys/journey';
import { numberSteps } from '../../domain/journeys/journey-flow';
import { printable } from '../../lib/printable';
import { JOURNEY_CONTACTS } from './journey-contacts';
import { countJourney } from './journey-counts';
import { create, edit, rotateSecret, validate } from './journey-definition';
import { activateJourney, deleteJourney, pauseJourney } from './change-journey';
import { discard, draft, showDraft } from './journey-draft';
import { versions } from './journey-versions';
import { dryRunOperation } from './journey-dry-run';
import { goalLabel } from './journey-labels';
import { journeyMermaid } from './journey-mermaid';
import { writtenJourney } from './journey-file-format';
import { presentShown, shownText, presentJourney, showJourney } from './journey-view';
import {
  flag,
  journey,
  operation,
  OperationError,
  type Session,
  status,
  unknownJourney,
  workspace,
} from '../definition';

const show = operation('journey.show', 'viewer', {
  summary:
    'show a journey: contacts at each step, sales, and a diagram of its newest version; its secret is never shown',
  arguments: { workspace, journey },
  options: { mermaid: flag('only the diagram, in Mermaid syntax') },
  examples: [
    ['journey show "Toko Melati" Sambutan', 'its steps, as a tree'],
    ['journey show "Toko Melati" Sambutan --mermaid', 'its steps, as a flowchart'],
  ],
  handler: async ({ journey: of }, session) =>
    showJourney(session, of, {
      sales: await session.stores.conversions.ofJourney(of.id),
      counts: await countJourney(session.stores, of),
      draft: await showDraft(session, of),
    }),
  json: (shown, { mermaid }) => ({
    ...presentShown(shown, {
      ...shown.sales,
      contacts: { ...shown.counts.contacts, on_earlier_versions: shown.counts.earlier },
    }),
    definition: writtenJourney(shown.journey, shown.names),
    draft: shown.draft,
    ...(mermaid && { mermaid: journeyMermaid(shown.journey, shown.names) }),
  }),
  text: (shown, view, { mermaid }) => (mermaid ? journeyMermaid(shown.journey, shown.names) : shownText(shown, view)),
});

const list = operation('journey.list', 'viewer', {
  summary: 'list journeys, with their contacts and sales',
  arguments: { workspace },
  examples: [['journey list "Toko Melati"', 'one per line']],
  handler: async (input, { stores }) => ({
    data: await Promise.all(
      (await stores.journeys.list(input.workspace.id)).map(async (of) => ({
        ...presentJourney(of),
        contacts: await stores.journeyRuns.count(of),
        ...(await stores.conversions.ofJourney(of.id)),
      })),
    ),
  }),
  columns: {
    id: 'id',
    name: 'name',
    status: status('status'),
    trigger: 'trigger_type',
    version: 'version',
    goal: ({ goal }) => goal && goalLabel(goal),
    active: ({ contacts }) => contacts.active,
    sales: 'conversions',
    created: 'created_at',
  },
  none: 'No journeys yet. Create one: kurir journey create <workspace> <file>',
});

const statusText = (of: { name: string; status: string }): string => `${printable(of.name)} is ${of.status}.\n`;

/** What will be refused as long as it is as it is now. */
async function warningsOf({ stores }: Session, { workspaceId, steps }: Journey): Promise<Reason[]> {
  const used = new Set(numberSteps(steps).flatMap(({ step }) => (step.kind === 'email' ? [step.domainId] : [])));
  const domains = new Map((await stores.domains.list(workspaceId)).map((domain) => [domain.id, domain]));
  return [...used].flatMap((id) => {
    const domain = domains.get(id);
    if (domain?.status === 'active') return [];
    if (!domain) return [journeyReason('domain_gone', { id })];
    return [journeyReason('domain_inactive', { domain: domain.domain, status: domain.status })];
  });
}

const activate = operation('journey.activate', 'editor', {
  irreversible: true,
  summary: 'start a draft, or resume a paused journey: steps that came due in the meantime run now',
  arguments: { workspace, journey },
  examples: [['journey activate "Toko Melati" Sambutan', 'contacts can enter it']],
  handler: async (input, session) => {
    const changed = await activateJourney(session, input.journey);
    if (!changed) throw unknownJourney(input.journey.name);
    return { ...presentJourney(changed), warnings: await warningsOf(session, changed) };
  },
  text: (of, view) => statusText(of) + view.warnings(of.warnings),
});

const pause = operation('journey.pause', 'editor', {
  summary: 'pause a journey: no contact enters it, and contacts in it stay at their step',
  arguments: { workspace, journey },
  examples: [['journey pause "Toko Melati" Sambutan', 'kurir journey activate resumes it']],
  handler: async ({ journey: of }, session) => {
    const paused = await pauseJourney(session, of);
    if (!paused) throw unknownJourney(of.name);
    if (paused !== 'draft') return presentJourney(paused);
    throw new OperationError(journeyReason('draft', { label: '<journey>', name: of.name }), 'It has not been started.');
  },
  text: (of) => statusText(of),
});

const remove = operation('journey.delete', 'editor', {
  irreversible: true,
  summary: 'delete a draft that no contact has entered',
  arguments: { workspace, journey },
  examples: [['journey delete "Toko Melati" Sambutan', 'cannot be undone']],
  handler: async ({ journey: of }, session) => {
    const { id, name } = of;
    const outcome = await deleteJourney(session, of);
    if (outcome === 'no_journey') throw unknownJourney(name);
    if (outcome === 'in_use') {
      const fix = 'kurir journey pause stops it; its history is kept.';
      throw new OperationError(journeyReason('in_use', { label: '<journey>', name }), fix);
    }
    return { id, name, deleted: true };
  },
  text: ({ name }) => `${printable(name)} was deleted.\n`,
});

export const JOURNEY = {
  validate,
  create,
  edit,
  draft,
  discard,
  show,
  versions,
  dryRun: dryRunOperation,
  list,
  activate,
  ...JOURNEY_CONTACTS,
  pause,
  delete: remove,
  rotateSecret,
};
