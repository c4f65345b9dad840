import { html, NOTHING, type Html, type Piece } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { filledHtml, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import { statusTag, type Shown } from './tags';

interface Event {
  at: string | null;
  what: Piece;
  more?: Piece;
  isBad?: boolean;
}

const BAD = new Set(['bounced', 'failed']);

const attemptsOf = (t: Texts, { attempts }: Shown): Event[] =>
  attempts.flatMap(({ n, claimed_at, finished_at, outcome, reply }) => [
    { at: claimed_at, what: filled(t.messagesClaimed, { n }) },
    ...(finished_at === null && reply === null
      ? []
      : [
          {
            at: finished_at ?? claimed_at,
            what: filled(t.messagesAttempt, { n, outcome: outcome ? wordOf(t, outcome) : t.messagesAttemptOpen }),
            more: reply && html`<pre>${reply}</pre>`,
            isBad: outcome !== null && outcome !== 'sent',
          },
        ]),
  ]);

const signalsOf = (t: Texts, { signals }: Shown): Event[] =>
  signals.map(({ at, kind, url, machine }) => ({
    at,
    what: filled(t.messagesSignal, { kind: wordOf(t, kind) }),
    more: [
      url && html`<div><code>${url}</code></div>`,
      machine && html`<div class="soft">${filled(t.messagesMachine, { reason: wordOf(t, machine) })}</div>`,
    ],
  }));

const hooksOf = (visit: Visit, { webhooks }: Shown): Event[] =>
  webhooks.flatMap(({ webhook_id: id, id: delivery, event, state, created_at, attempts }) => {
    const { t, base } = visit;
    const said = filled(t.messagesHook, { id, event, state: wordOf(t, state) });
    const to = `${base}/webhooks/${id}/deliveries/${delivery}`;
    return [
      { at: created_at, what: mayHere(visit, 'developer') ? html`<a href="${to}">${said}</a>` : said },
      ...attempts.map(({ at, status, error, answer }) => ({
        at,
        what: filled(t.messagesHook, { id, event, state: error ?? `HTTP ${status}` }),
        more: answer && html`<pre>${answer}</pre>`,
        isBad: error !== null,
      })),
    ];
  });

/** What became of the coins of a message; a top-up and a gift are of none. */
function coinsText(t: Texts, kind: Shown['coins'][number]['kind'], coins: number): string {
  const n = Math.abs(coins);
  if (kind === 'penalty') return filled(t.messagesPenalty, { n });
  return filled(coins < 0 ? t.messagesCharged : t.messagesRefunded, { n });
}

/** Everything that happened, in the order of its time. */
function eventsOf(visit: Visit, of: Shown): Event[] {
  const { t } = visit;
  const all: Event[] = [
    { at: of.created_at, what: t.messagesAccepted },
    ...of.history.map(({ status, at }) => ({
      at,
      what: statusTag(t, status),
      more: BAD.has(status) && status === of.status && of.failed_reason && html`<pre>${of.failed_reason}</pre>`,
      isBad: BAD.has(status),
    })),
    ...attemptsOf(t, of),
    ...(of.complained_at === null ? [] : [{ at: of.complained_at, what: t.messagesComplained, isBad: true }]),
    ...of.coins.map(({ at, kind, coins }) => ({ at, what: coinsText(t, kind, coins) })),
    ...signalsOf(t, of),
    ...hooksOf(visit, of),
  ];
  return all.sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : Number((a.at ?? '') > (b.at ?? ''))));
}

function waitText(t: Texts, wait: NonNullable<Shown['waits_for']>): Html {
  const what = wordOf(t, wait.for);
  return wait.until === null
    ? html`${filled(t.messagesWaits, { what })}`
    : filledHtml(t.messagesWaitsUntil, { what, time: time(t, wait.until) });
}

/** The timeline in one column. It reloads itself until the message is final. */
export function timeline(visit: Visit, path: string, of: Shown): Html {
  const { t } = visit;
  const wait = of.waits_for;
  const live = wait ? html` hx-get="${path}" hx-trigger="every 5s" hx-target="this" hx-swap="outerHTML"` : NOTHING;
  return html`<div class="panel" ${live}>
    <ol class="story">
      ${eventsOf(visit, of).map(
        ({ at, what, more, isBad }) => html`<li class="${isBad ? 'bad' : ''}">${time(t, at)}${what}${more}</li>`,
      )}${
        wait &&
        html`<li>
          <div>
            ${waitText(t, wait)} ${(wait.for === 'report' || wait.for === 'evidence') && t.messagesWaitsElse}
          </div>
        </li>`
      }
    </ol>
  </div>`;
}
