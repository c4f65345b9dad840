import { AUDIT_RULES } from '../../domain/audit/difference';
import { BASE } from '../kit/cookies';
import { html, NOTHING, type Html } from '../kit/html';
import { button, count, filledHtml, table, tag, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import type { Health } from './needs';

type Audit = Health['audit'];

function verdict({ t, language }: Visit, last: Audit['last']): Html {
  if (!last) return html`<p>${t.healthAuditNever}</p>`;
  const text = filledHtml(last.ok ? t.healthAuditOk : t.healthAuditBad, {
    n: count(last.differences, language),
    time: time(t, last.at),
    messages: count(last.checked['messages'] ?? 0, language),
    rows: count(last.checked['ledger_rows'] ?? 0, language),
    seconds: count(Math.round(last.ms / 100) / 10, language),
  });
  return html`<p class="notice ${last.ok ? '' : 'bad'}">${text}</p>
    ${last.ok ? NOTHING : html`<p class="soft">${t.healthAuditDetails}</p>`}`;
}

/** A line for each invariant, the broken ones first. */
function rules({ t, language }: Visit, last: Audit['last']): Html {
  const found = new Map<string, NonNullable<Audit['last']>['groups'][number]>();
  for (const group of last?.groups ?? []) found.set(group.rule, group);
  const lines = Object.entries(AUDIT_RULES).map(([rule, about]) => ({ rule, about, group: found.get(rule) }));
  type Line = (typeof lines)[number];
  const state = ({ group }: Line): Html => {
    if (!last) return tag(t.healthUnknown);
    if (!group) return tag(t.healthHolds, 'good');
    return tag(filled(t.healthDiffers, { n: count(group.count, language) }), 'bad');
  };
  return html`<details ${last && !last.ok ? html` open` : NOTHING}>
    <summary>${t.healthRules}</summary>
    ${table(
      t.healthRules,
      lines.sort((a, b) => Number(!a.group) - Number(!b.group)),
      [
        { title: t.healthVerdict, cell: state },
        { title: t.healthRule, cell: ({ rule, about }) => html`${about} <code>${rule}</code>` },
        last && !last.ok && { title: t.healthCause, cell: ({ group }) => group?.likely_cause ?? null },
      ],
      t.none,
    )}
  </details>`;
}

/** The last audit, the one that runs, and the button; asks for itself again until the end. */
export function auditPart(visit: Visit, { running, last }: Audit): Html {
  const { t, csrf } = visit;
  const asks = running
    ? html` hx-get="${BASE}/health" hx-trigger="every 2s" hx-swap="outerHTML" aria-busy="true"`
    : NOTHING;
  return html`<section id="audit" ${asks}>
    <h2>${t.healthAudit}</h2>
    <p class="soft">${t.healthAuditAbout}</p>
    ${verdict(visit, last)}
    ${
      running
        ? html`<p role="status">
              ${filledHtml(t.healthAuditRuns, { time: time(t, running.started_at), by: running.by })}
              <a href="${BASE}/health">${t.healthReload}</a>
            </p>
            <progress aria-label="${t.healthAudit}"></progress>`
        : html`<div class="acts">${button(csrf, { to: `${BASE}/health/audit`, label: t.healthAuditStart })}</div>`
    }
    ${rules(visit, last)}
  </section>`;
}
