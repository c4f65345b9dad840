import { JOURNEY } from '../../operations/journeys/journey';
import { formOf, type Sent } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, card, count, facts, fault, newLink, percent, rupiah, stateTag, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { drawing } from './drawing';
import { goalText, triggerText } from './labels';
import type { ListedJourney, ShownJourney } from './read';
import { stepList } from './step-list';

/** The address of a journey. */
export const pathOf = ({ base }: Visit, id: number): string => `${base}/journeys/${id}`;

const TONES = { draft: '', active: 'good', paused: 'warn' } as const;
const statusTag = ({ t }: Visit, status: ListedJourney['status']): Html => stateTag(t, status, TONES[status]);

/** The journeys of the workspace. */
export function listView(visit: Visit, rows: readonly ListedJourney[]): Html {
  const { t, language } = visit;
  return html`<h1>${t.navJourneys}</h1>
    ${newLink(visit, `${visit.base}/journeys/new`, t.journeysNew)}
    ${table(
      t.navJourneys,
      rows,
      [
        { title: t.journeysName, cell: (of) => html`<a href="${pathOf(visit, of.id)}">${of.name}</a>` },
        { title: t.journeysStatus, cell: (of) => statusTag(visit, of.status) },
        { title: t.journeysTrigger, cell: (of) => triggerText(t, of.trigger_type, undefined) },
        { title: t.journeysIn, is: 'number', cell: (of) => count(of.contacts.active, language) },
        { title: t.journeysDone, is: 'number', cell: (of) => count(of.contacts.completed, language) },
        { title: t.journeysSales, is: 'number', cell: (of) => count(of.conversions, language) },
        { title: t.journeysCreated, is: 'time', cell: (of) => time(t, of.created_at) },
      ],
      t.journeysNone,
    )}`;
}

function figures({ t, language }: Visit, of: ShownJourney): Html {
  const { active, completed, left } = of.contacts;
  const entered = active + completed + left;
  const share = (n: number): string =>
    filled(t.journeysOfEntered, { share: percent(n, entered, language), count: count(entered, language) });
  const people = (label: string, n: number): Html => card(label, count(n, language), share(n));
  return html`<ul class="cards">
    ${people(t.journeysIn, active)}${people(t.journeysDone, completed)}${people(t.journeysLeft, left)}${card(
      t.journeysSales,
      count(of.conversions, language),
      filled(t.journeysSalesOf, { sum: rupiah(of.revenue, language) }),
    )}
  </ul>`;
}

/** What changes while contacts go through a journey; asks for itself again while it is active. */
export function livePart(visit: Visit, of: ShownJourney): Html {
  const { t } = visit;
  const earlier = of.contacts.on_earlier_versions;
  const asks =
    of.status === 'active'
      ? html` hx-get="${pathOf(visit, of.id)}" hx-trigger="every 15s" hx-target="this" hx-swap="outerHTML"`
      : NOTHING;
  return html`<section id="live" ${asks}>
    ${figures(visit, of)}${earlier > 0 && html`<p class="soft">${filled(t.journeysEarlier, { n: earlier })}</p>`}
    ${drawing(t, { ...of, enters: triggerText(t, of.trigger_type, of.definition.audience) })}
  </section>`;
}

/** What may be done with a journey in its state. */
function buttons(visit: Visit, { id, status, draft }: ShownJourney): Html {
  const { t, csrf } = visit;
  const to = pathOf(visit, id);
  const start = { to: `${to}/activate`, kind: 'main' } as const;
  return html`<div class="acts">
    ${status === 'draft' && button(csrf, { ...start, label: t.journeysActivate, confirm: t.journeysActivateSure })}
    ${status === 'paused' && button(csrf, { ...start, label: t.journeysResume })}
    <a class="button plain" href="${to}/edit">${draft ? t.journeysGoOnEditing : t.journeysEdit}</a>
    ${status === 'active' && button(csrf, { to: `${to}/pause`, label: t.journeysPause })}
  </div>`;
}

function lastThings(visit: Visit, { id, status, contacts }: ShownJourney): Html {
  const { t, csrf } = visit;
  const to = pathOf(visit, id);
  const nobody = contacts.active + contacts.completed + contacts.left === 0;
  return html`<h2>${t.journeysSettings}</h2>
    <p class="soft">${t.journeysSettingsNote}</p>
    <div class="acts">
      ${button(csrf, { to: `${to}/rotate-secret`, label: t.journeysRotate, confirm: t.journeysRotateSure })}
      ${
        status === 'draft' &&
        nobody &&
        button(csrf, { to: `${to}/delete`, label: t.journeysDelete, confirm: t.journeysDeleteSure, kind: 'danger' })
      }
    </div>`;
}

const enrollForm = (visit: Visit, id: number, sent: Sent | null): Html =>
  html`<h2>${visit.t.journeysEnroll}</h2>
    ${formOf(visit, {
      operation: JOURNEY.enroll,
      fields: {
        email: { label: visit.t.journeysFind, help: visit.t.journeysEnrollHelp },
        consent: { label: visit.t.journeysEnrollConsent },
      },
      to: `${pathOf(visit, id)}/enroll`,
      button: visit.t.journeysEnroll,
      sent,
    })}`;

/** A journey: where its contacts are, and what may be done with it. */
export function journeyView(visit: Visit, of: ShownJourney, refused: string | null, sent: Sent | null): Html {
  const { t } = visit;
  const mayEdit = mayHere(visit, 'editor');
  return html`<h1>${of.name}</h1>
    ${fault(refused)}
    ${facts([
      [t.journeysStatus, statusTag(visit, of.status)],
      [t.journeysTrigger, triggerText(t, of.trigger_type, of.definition.audience)],
      [t.journeysGoal, of.goal && goalText(t, of.goal)],
      [t.journeysVersion, String(of.version)],
      [t.journeysCreated, time(t, of.created_at)],
    ])}
    ${
      mayEdit &&
      of.draft &&
      html`<p class="notice warn">${filled(t.journeysUnused, { version: of.version })} <a href="${pathOf(visit, of.id)}/edit">${t.journeysGoOnEditing}</a></p>`
    }
    ${mayEdit && buttons(visit, of)}
    <p class="acts">
      <a href="${pathOf(visit, of.id)}/contacts">${t.journeysContacts}</a>
      <a href="${pathOf(visit, of.id)}/posts">${t.journeysPosts}</a>
      <a href="${pathOf(visit, of.id)}/versions">${t.journeysVersions}</a>
      <a href="${pathOf(visit, of.id)}/dry-run">${t.journeysDryRun}</a>
    </p>
    ${livePart(visit, of)}
    <details>
      <summary>${t.journeysAsList}</summary>
      ${stepList(t, of.steps)}
    </details>
    ${mayEdit && (of.status === 'active' || sent) && enrollForm(visit, of.id, sent)}
    ${mayEdit && lastThings(visit, of)}`;
}

/** A secret, which is shown once. */
export const secretView = (visit: Visit, { id, name, secret }: { id: number; name: string; secret: string }): Html => {
  const { t } = visit;
  return html`<h1>${t.journeysSecret}</h1>
    <p>${name}</p>
    <p class="notice warn">${t.journeysSecretNote}</p>
    <pre>${secret}</pre>
    <p class="acts">
      <button class="plain" type="button" data-copy="${secret}">${t.journeysCopy}</button>
      <a href="${pathOf(visit, id)}">${t.journeysBack}</a>
    </p>`;
};
