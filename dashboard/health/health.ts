import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { inputOf } from '../kit/forms';
import { withQuery } from '../kit/parts';
import { action, fieldOf, ofInstallation, page, redirect, screen, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { auditPart } from './audit-view';
import type { Examination, Health } from './shape';
import { examinationView, failedView, healthView } from './views';

const PATH = `${BASE}/health`;
const look = (visit: Visit): Promise<Health> => visit.read<Health>('health', {});

const health = screen('/health', 'operator', async (visit) => {
  const of = await look(visit);
  if (visit.isPart) return { kind: 'part', main: auditPart(visit, of.audit) };
  return page(visit.t.healthTitle, await healthView(visit, of));
});

const audit = action('/health/audit', 'operator', async (visit) => {
  const done = await visit.perform('audit.start', {});
  if (done.ok) return redirect(`${PATH}#audit`);
  return page(visit.t.healthTitle, await healthView(visit, await look(visit), null, done.fault.message), 422);
});

const turn = action('/health/switch', 'operator', async (visit) => {
  await visit.read('switch', { what: fieldOf(visit.form, 'what'), state: fieldOf(visit.form, 'state') === 'on' });
  return redirect(PATH);
});

const cap = action('/health/cap', 'operator', async (visit) => {
  const done = await visit.perform('warmup.cap', await inputOf('warmup.cap', visit.form));
  if (done.ok) return redirect(PATH);
  const sent = { n: fieldOf(visit.form, 'n'), fault: done.fault };
  return page(visit.t.healthTitle, await healthView(visit, await look(visit), sent), 422);
});

const examination = screen('/health/examination', 'operator', async (visit) =>
  page(visit.t.healthDoctorTitle, examinationView(visit, await visit.read<Examination>('doctor', {}))),
);

interface DeadLetters {
  data: readonly { id: number; topic: string; group: string; reason: string; parked_at: string; value: unknown }[];
  next_after: number | null;
}

const letters = screen('/health/dead-letters', 'operator', async (visit) => {
  const { t, query } = visit;
  const { data, next_after: next } = await visit.read<DeadLetters>('dead-letters.list', filtersOf(query, ['after']));
  const path = `${PATH}/dead-letters`;
  const rows = data.map((of) => ({
    ...{ key: String(of.id), what: `${of.group}: ${of.topic}`, reason: of.reason, at: of.parked_at, attempts: null },
    payload: JSON.stringify(of.value, null, 2),
  }));
  const about = { title: t.lettersTitle, about: t.lettersAbout, none: t.lettersNone, sure: t.lettersAllSure };
  const nextPage = next === null ? null : withQuery(path, { after: next });
  return page(t.lettersTitle, failedView(visit, { ...about, field: 'ids', path }, rows, nextPage));
});

interface GivenUp {
  data: readonly { task: string; attempt: number; reason: string; given_up_at: string; payload: unknown }[];
  next_after: string | null;
}

const tasks = screen('/health/given-up', 'operator', async (visit) => {
  const { t, query } = visit;
  const { data, next_after: next } = await visit.read<GivenUp>('due-work.list', filtersOf(query, ['after']));
  const path = `${PATH}/given-up`;
  const rows = data.map((of) => ({
    ...{ key: of.task, what: of.task, reason: of.reason, at: of.given_up_at, attempts: of.attempt },
    payload: JSON.stringify(of.payload, null, 2),
  }));
  const about = { title: t.tasksTitle, about: t.tasksAbout, none: t.tasksNone, sure: t.tasksAllSure };
  const nextPage = next === null ? null : withQuery(path, { after: next });
  return page(t.tasksTitle, failedView(visit, { ...about, field: 'tasks', path }, rows, nextPage));
});

const again = (path: string, operation: string): Screen =>
  action(path, 'operator', async (visit) => {
    const done = await visit.read<{ redriven: readonly unknown[] }>(operation, await inputOf(operation, visit.form));
    return redirect(`${BASE}${path}`, filled(visit.t.lettersRedriven, { n: done.redriven.length }));
  });

export const HEALTH: readonly Screen[] = [
  ...[health, audit, turn, cap, examination, letters, tasks],
  ...[again('/health/dead-letters', 'dead-letters.redrive'), again('/health/given-up', 'due-work.redrive')],
].map(ofInstallation);
