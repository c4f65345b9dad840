import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { html } from '../kit/html';
import { count, pager, table, time, withQuery } from '../kit/parts';
import { ofInstallation, page, screen, type Screen } from '../kit/screen';

/** What `queue.list` answers, as far as it is shown. */
interface Listed {
  data: readonly { workspace_id: number; name: string; queued: number; waits_for: string; until: string | null }[];
  next_after: number | null;
}

const queues = screen('/queues', 'operator', async (visit) => {
  const { t, query, language } = visit;
  const { data, next_after: next } = await visit.read<Listed>('queue.list', filtersOf(query, ['after']));
  const mails = (id: number): string => withQuery(`${BASE}/w/${id}/messages`, { status: 'queued' });
  return page(
    t.queuesTitle,
    html`<h1>${t.queuesTitle}</h1>
      <p class="soft">${t.queuesAbout}</p>
      ${table(
        t.queuesTitle,
        data,
        [
          { title: t.trailWorkspace, cell: (of) => html`<a href="${mails(of.workspace_id)}">${of.name}</a>` },
          { title: t.queuesQueued, is: 'number', cell: ({ queued }) => count(queued, language) },
          { title: t.queuesWaits, cell: ({ waits_for: reason }) => reason.replaceAll('_', ' ') },
          { title: t.queuesUntil, is: 'time', cell: ({ until }) => time(until) },
        ],
        t.queuesNone,
      )}
      ${pager(t, null, next === null ? null : withQuery(`${BASE}/queues`, { after: next }))}`,
  );
});

export const QUEUES: readonly Screen[] = [ofInstallation(queues)];
