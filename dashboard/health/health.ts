import { AUDIT } from '../../operations/audit/audit';
import type { Operation } from '../../operations/definition';
import { DOCTOR } from '../../operations/doctor/doctor';
import { HEALTH } from '../../operations/health/health';
import { SWITCH, WARMUP } from '../../operations/installation/installation';
import { DEAD_LETTERS } from '../../operations/queue/dead-letters';
import { DUE_WORK } from '../../operations/queue/due-work';
import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { refusedForm } from '../kit/forms';
import { answered } from '../kit/perform';
import { action, fieldOf, ofInstallation, page, redirect, screen, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { auditPart } from './audit-view';
import { examinationView, failedView, healthView } from './views';

const PATH = `${BASE}/health`;
const look = (visit: Visit) => visit.read(HEALTH.health, {});

const health = screen('/health', 'operator', async (visit) => {
  const of = await look(visit);
  if (visit.isPart) return { kind: 'part', main: auditPart(visit, of.audit) };
  return page(visit.t.healthTitle, healthView(visit, of));
});

const audit = action('/health/audit', 'operator', async (visit) => {
  const done = await visit.perform(AUDIT.start, {});
  if (done.ok) return redirect(`${PATH}#audit`);
  return page(visit.t.healthTitle, healthView(visit, await look(visit), null, done.fault.message), 422);
});

const turn = action('/health/switch', 'operator', async (visit) => {
  await visit.read(SWITCH.switch, { what: fieldOf(visit.form, 'what'), state: fieldOf(visit.form, 'state') === 'on' });
  return redirect(PATH);
});

const cap = action('/health/cap', 'operator', async (visit) => {
  const done = await visit.submit(WARMUP.cap, {});
  if (done.ok) return redirect(PATH);
  return page(visit.t.healthTitle, healthView(visit, await look(visit), refusedForm(visit, done.fault)), 422);
});

const examination = screen('/health/examination', 'operator', async (visit) =>
  page(visit.t.healthDoctorTitle, examinationView(visit, await visit.read(DOCTOR.doctor, {}))),
);

const letters = screen('/health/dead-letters', 'operator', async (visit) => {
  const { t, query } = visit;
  const { data, next_after: next } = await visit.read(DEAD_LETTERS.list, filtersOf(query, ['after']));
  const path = `${PATH}/dead-letters`;
  const rows = data.map((of) => ({
    key: String(of.id),
    what: `${of.group}: ${of.topic}`,
    reason: of.reason,
    at: of.parked_at,
    attempts: null,
    payload: JSON.stringify(of.value, null, 2),
  }));
  const about = { title: t.lettersTitle, about: t.lettersAbout, none: t.lettersNone, sure: t.lettersAllSure };
  return page(t.lettersTitle, failedView(visit, { ...about, field: 'ids', path }, rows, next));
});

const tasks = screen('/health/given-up', 'operator', async (visit) => {
  const { t, query } = visit;
  const { data, next_after: next } = await visit.read(DUE_WORK.list, filtersOf(query, ['after']));
  const path = `${PATH}/given-up`;
  const rows = data.map((of) => ({
    key: of.task,
    what: of.task,
    reason: of.reason,
    at: of.given_up_at,
    attempts: of.attempt,
    payload: JSON.stringify(of.payload, null, 2),
  }));
  const about = { title: t.tasksTitle, about: t.tasksAbout, none: t.tasksNone, sure: t.tasksAllSure };
  return page(t.tasksTitle, failedView(visit, { ...about, field: 'tasks', path }, rows, next));
});

const again = (path: string, operation: Operation<{ all?: boolean }, { redriven: readonly unknown[] }>): Screen =>
  action(path, 'operator', async (visit) => {
    const { redriven } = answered(await visit.submit(operation, {}));
    return redirect(`${BASE}${path}`, filled(visit.t.lettersRedriven, { n: redriven.length }));
  });

export const HEALTH_SCREENS: readonly Screen[] = [
  ...[health, audit, turn, cap, examination, letters, tasks],
  ...[again('/health/dead-letters', DEAD_LETTERS.redrive), again('/health/given-up', DUE_WORK.redrive)],
].map(ofInstallation);
