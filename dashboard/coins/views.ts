import { html, type Html } from '../kit/html';
import { card, count, pager, table, time, withQuery } from '../kit/parts';
import type { Visit } from '../kit/screen';

/** What `coins.balance` answers. */
export interface Balance {
  balance: number;
  premium: boolean;
  purchase: { expires_at: string | null } | null;
}

/** What `coins.ledger` answers. */
export interface Ledger {
  data: readonly { row: number; id: string; kind: string; coins: number; message_id: string | null; at: string }[];
  next_before: number | null;
}

/** The balance, and every row behind it. */
export function coinsView({ t, base, language }: Visit, of: Balance, { data, next_before: next }: Ledger): Html {
  const ends = of.purchase?.expires_at ?? null;
  return html`<h1>${t.coinsTitle}</h1>
    <ul class="cards">
      ${card(t.coinsBalance, count(of.balance, language), of.premium ? t.coinsPremium : t.coinsFree)}
    </ul>
    ${ends && html`<p>${t.coinsEnds} ${time(ends)}</p>`}
    <h2>${t.coinsLedger}</h2>
    <p class="soft">${t.coinsAbout}</p>
    ${table(
      t.coinsLedger,
      data,
      [
        { title: t.coinsRow, cell: ({ row }) => row, is: 'number' },
        { title: t.coinsTime, cell: ({ at }) => time(at), is: 'time' },
        { title: t.coinsKind, cell: ({ kind }) => kind },
        { title: t.coinsAmount, cell: ({ coins }) => count(coins, language), is: 'number' },
        {
          title: t.coinsMessage,
          cell: ({ message_id: id }) => id && html`<a href="${base}/messages/${id}"><code>${id}</code></a>`,
        },
      ],
      t.coinsNone,
    )}
    ${pager(t, null, next === null ? null : withQuery(`${base}/coins`, { before: next }))}`;
}
