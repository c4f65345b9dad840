import { html } from '../kit/html';
import { count, table, time } from '../kit/parts';
import { ofInstallation, page, screen, type Screen, type Visit } from '../kit/screen';
import { wordOf } from '../texts/word-of';

/** What `bounce.summary` answers, as far as it is shown. */
interface Summary {
  data: readonly {
    class: string;
    count: number;
    counted_all: boolean;
    domains: readonly { domain: string | null; count: number }[];
    last_at: string | null;
    last_reason: string | null;
  }[];
}

/** What `bounce.unknown` answers, as far as it is shown. */
interface Unread {
  data: readonly { count: number; last_at: string; text: string }[];
}

/** Domains that are named; more would hide the others of the table. */
const NAMED = 5;

const domainsOf = ({ t, language }: Visit, domains: Summary['data'][number]['domains']): string =>
  domains
    .slice(0, NAMED)
    .map(({ domain, count: n }) => `${domain ?? t.bouncesDeleted} ${count(n, language)}`)
    .join(', ') + (domains.length > NAMED ? ' …' : '');

const bounces = screen('/bounces', 'operator', async (visit) => {
  const { t, language } = visit;
  const [refused, unread] = await Promise.all([
    visit.read<Summary>('bounce.summary', {}),
    visit.read<Unread>('bounce.unknown', {}),
  ]);
  return page(
    t.bouncesTitle,
    html`<h1>${t.bouncesTitle}</h1>
      <p class="soft">${t.bouncesAbout}</p>
      ${table(
        t.bouncesTitle,
        refused.data,
        [
          {
            title: t.bouncesClass,
            cell: (of) => html`${wordOf(t, of.class)}<br /><small class="soft">${of.class}</small>`,
          },
          {
            title: t.bouncesCount,
            is: 'number',
            cell: (of) => `${count(of.count, language)}${of.counted_all ? '' : '+'}`,
          },
          { title: t.bouncesDomains, cell: (of) => domainsOf(visit, of.domains) },
          { title: t.bouncesLast, is: 'time', cell: (of) => time(of.last_at) },
          { title: t.bouncesWords, cell: (of) => of.last_reason },
        ],
        t.bouncesNone,
      )}
      <h2>${t.bouncesUnread}</h2>
      <p class="soft">${t.bouncesUnreadAbout}</p>
      ${table(
        t.bouncesUnread,
        unread.data,
        [
          { title: t.bouncesCount, is: 'number', cell: (of) => count(of.count, language) },
          { title: t.bouncesLast, is: 'time', cell: (of) => time(of.last_at) },
          { title: t.bouncesText, cell: (of) => of.text },
        ],
        t.bouncesUnreadNone,
      )}`,
  );
});

export const BOUNCES: readonly Screen[] = [ofInstallation(bounces)];
