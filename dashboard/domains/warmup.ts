import type { AnswerOf } from '../../operations/definition';
import type { WARMUP } from '../../operations/installation/installation';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, count, day, table } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { wordOf } from '../texts/word-of';

export type WarmupPlan = AnswerOf<typeof WARMUP.plan>;
type Row = WarmupPlan['destinations'][number]['rows'][number];

/** The plan of the warm-up of a domain beside what happened, and its beginning or end. */
export function warmupPart(visit: Visit, { id }: { id: number }, plan: WarmupPlan): Html {
  const { t, base, csrf, services } = visit;
  const isRunning = plan.started_at !== null;
  if (!isRunning && services.config.destinations === null) return NOTHING;
  const to = `${base}/domains/${id}/warmup`;
  const act = isRunning
    ? button(csrf, { to, label: t.domainsWarmupStop, confirm: t.domainsWarmupStopSure, fields: { stop: 'on' } })
    : button(csrf, { to, label: t.domainsWarmupStart });
  return html`<h2 id="warmup">${t.domainsWarmup}</h2>
    <p class="soft">${t.domainsWarmupAbout}</p>
    ${isRunning && planTable(visit, plan)} ${mayHere(visit, 'developer') && html`<div class="acts">${act}</div>`}`;
}

function planTable({ t, language }: Visit, { ends_on: end, destinations }: WarmupPlan): Html {
  const number = (n: number | null): string => (n === null ? '–' : count(n, language));
  const column = (title: string, of: (row: Row) => number | null) =>
    ({ title, cell: (row: Row) => number(of(row)), is: 'number' }) as const;
  const waiting = destinations.reduce((sum, { waiting: held }) => sum + held, 0);
  return html`${end !== null && html`<p>${filled(t.domainsWarmupEnds, { day: day(t, end) })}</p>`}
    ${waiting > 0 && html`<p>${filled(t.domainsWarmupWaiting, { count: waiting })}</p>`}
    ${table(
      t.domainsWarmup,
      destinations.flatMap(({ rows }) => rows),
      [
        { title: t.domainsWarmupTo, cell: ({ destination }) => destination },
        { title: t.domainsWarmupDay, cell: (row) => day(t, row.day) },
        column(t.domainsWarmupPlan, ({ volume }) => volume),
        column(t.domainsWarmupSent, ({ sent }) => sent),
        column(t.domainsWarmupDeferred, ({ deferred }) => deferred),
        column(t.domainsWarmupBounced, ({ bounced }) => bounced),
        column(t.domainsWarmupComplained, ({ complained }) => complained),
        { title: t.domainsWarmupVerdict, cell: ({ verdict }) => wordOf(t, verdict) },
      ],
      t.domainsWarmupNone,
    )}`;
}
