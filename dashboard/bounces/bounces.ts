import { BOUNCE } from '../../operations/bounces/bounce';
import type { RowOf } from '../../operations/definition';
import { html } from '../kit/html';
import { count, table, time } from '../kit/components';
import { ofInstallation, page, screen, type Screen, type Visit } from '../kit/screen';
import { wordOf } from '../texts/word-of';

/** Domains that are named; more would hide the others of the table. */
const NAMED = 5;

const domainsOf = ({ t, language }: Visit, domains: RowOf<typeof BOUNCE.summary>['domains']): string =>
  domains
    .slice(0, NAMED)
    .map(({ domain, count: n }) => `${domain ?? t.bouncesDeleted} ${count(n, language)}`)
    .join(', ') + (domains.length > NAMED ? ' …' : '');

const bounces = screen('/bounces', 'operator', async (visit) => {
  const { t, language } = visit;
  const [refused, unread] = await Promise.all([visit.read(BOUNCE.summary, {}), visit.read(BOUNCE.unknown, {})]);
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
          { title: t.bouncesLast, is: 'time', cell: (of) => time(t, of.last_at) },
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
          { title: t.bouncesLast, is: 'time', cell: (of) => time(t, of.last_at) },
          { title: t.bouncesText, cell: (of) => of.text },
        ],
        t.bouncesUnreadNone,
      )}`,
  );
});

export const BOUNCES: readonly Screen[] = [ofInstallation(bounces)];
