import { LEDGER_KINDS } from '../../domain/ledger/coins';
import type { AnswerOf } from '../../operations/definition';
import type { COINS } from '../../operations/ledger/coins';
import { html, NOTHING, type Html } from '../kit/html';
import { card, count, further, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { wordOf } from '../texts/word-of';

type Ledger = AnswerOf<typeof COINS.ledger>;
type Rows = Ledger['data'];

/** What the newest rows come to, by kind: why coins are few. */
function sums({ t, language }: Visit, rows: Rows): Html {
  const oldest = rows.at(-1);
  if (!oldest) return NOTHING;
  const kinds = LEDGER_KINDS.map((kind) => ({ kind, all: rows.filter((row) => row.kind === kind) }));
  const sum = (all: Rows): number => all.reduce((total, { coins }) => total + coins, 0);
  return html`<h2>${t.coinsWhere}</h2>
    <p class="soft">${filled(t.coinsWhereAbout, { n: rows.length })} ${time(t, oldest.at)}</p>
    <ul class="cards">
      ${kinds
        .filter(({ all }) => all.length > 0)
        .map(({ kind, all }) =>
          card(wordOf(t, kind), count(sum(all), language), filled(t.coinsRows, { n: all.length })),
        )}
    </ul>`;
}

/** The balance, and every row behind it; `added` are the newest. */
export function coinsView(
  visit: Visit,
  of: AnswerOf<typeof COINS.balance>,
  { data, next_before: next }: Ledger,
  added: Rows,
): Html {
  const { t, base, language } = visit;
  const ends = of.purchase?.expires_at ?? null;
  return html`<h1>${t.coinsTitle}</h1>
    <ul class="cards">
      ${card(t.coinsBalance, count(of.balance, language), of.premium ? t.coinsPremium : t.coinsFree)}
    </ul>
    ${ends && html`<p>${t.coinsEnds} ${time(t, ends)}</p>`}${sums(visit, added)}
    <h2>${t.coinsLedger}</h2>
    <p class="soft">${t.coinsAbout}</p>
    ${table(
      t.coinsLedger,
      data,
      [
        { title: t.coinsRow, cell: ({ row }) => row, is: 'number' },
        { title: t.coinsTime, cell: ({ at }) => time(t, at), is: 'time' },
        { title: t.coinsKind, cell: ({ kind }) => wordOf(t, kind) },
        { title: t.coinsAmount, cell: ({ coins }) => count(coins, language), is: 'number' },
        {
          title: t.coinsMessage,
          cell: ({ message_id: id }) => id && html`<a href="${base}/messages/${id}"><code>${id}</code></a>`,
        },
      ],
      t.coinsNone,
    )}
    ${further(t, `${base}/coins`, { before: next })}`;
}
