import type { Operation } from '../../operations/definition';
import { JOURNEY } from '../../operations/journeys/journey';
import { refusedForm, type Sent } from '../kit/forms';
import { workspaceOf } from '../kit/workspace-scope';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import type { Reason } from '../../lib/reason';
import { filled, type Texts } from '../texts/texts';
import { JOURNEY_CONTACTS } from './contacts';
import { JOURNEY_CREATION } from './creation';
import { JOURNEY_DEFINITION } from './definition';
import { JOURNEY_DRY_RUN } from './dry-run';
import { JOURNEY_EDITOR } from './editor';
import { chosen, shown } from './read';
import { JOURNEY_VERSIONS } from './versions';
import { journeyView, listView, livePart, pathOf, secretView } from './views';

const list = screen('/journeys', 'viewer', async (visit) => {
  const { data } = await visit.read(JOURNEY.list, { workspace: workspaceOf(visit) });
  return page(visit.t.navJourneys, listView(visit, data));
});

async function showJourney(visit: Visit, refused: string | null = null, sent: Sent | null = null): Promise<Answer> {
  const journey = await shown(visit);
  if (visit.isPart) return { kind: 'part', main: livePart(visit, journey) };
  const main = journeyView(visit, journey, refused, sent);
  return page(journey.name, main, refused !== null || sent !== null ? 422 : 200);
}

const back = (visit: Visit): string => pathOf(visit, Number(visit.id));

/** A button of the page, which is shown again when it is refused. */
const doing = (
  name: string,
  operation: Operation<ReturnType<typeof chosen>, { id: number; warnings?: readonly Reason[] }>,
  notice: keyof Texts,
): Screen =>
  action(`/journeys/:id/${name}`, 'editor', async (visit) => {
    const done = await visit.perform(operation, chosen(visit));
    if (!done.ok) return done.fault.status === 422 ? showJourney(visit, done.fault.message) : showJourney(visit);
    const { warnings = [] } = done.json;
    const to = name === 'delete' ? `${visit.base}/journeys` : back(visit);
    return redirect(to, [visit.t[notice], ...warnings.map((one) => one.in(visit.language))].join('\n'));
  });

const rotate = action('/journeys/:id/rotate-secret', 'editor', async (visit) => {
  const of = await visit.read(JOURNEY.rotateSecret, chosen(visit));
  return page(visit.t.journeysSecret, secretView(visit, of));
});

const enroll = action('/journeys/:id/enroll', 'editor', async (visit) => {
  const { t } = visit;
  const done = await visit.submit(JOURNEY.enroll, chosen(visit));
  if (!done.ok) return showJourney(visit, null, refusedForm(visit, done.fault));
  const { email, enrolled } = done.json;
  return redirect(back(visit), filled(enrolled ? t.journeysEnrolled : t.journeysEnrolledBefore, { email }));
});

/** The screens of journeys. */
export const JOURNEYS: readonly Screen[] = [
  list,
  ...JOURNEY_CREATION,
  screen('/journeys/:id', 'viewer', (visit) => showJourney(visit)),
  doing('activate', JOURNEY.activate, 'journeysStarted'),
  doing('pause', JOURNEY.pause, 'journeysStopped'),
  doing('delete', JOURNEY.delete, 'journeysDeleted'),
  rotate,
  enroll,
  ...JOURNEY_EDITOR,
  ...JOURNEY_DEFINITION,
  JOURNEY_DRY_RUN,
  ...JOURNEY_VERSIONS,
  ...JOURNEY_CONTACTS,
];
