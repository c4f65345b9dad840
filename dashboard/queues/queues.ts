import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { html } from '../kit/html';
import { count, pager, table, time, withQuery } from '../kit/parts';
import { wordOf } from '../texts/word-of';
import { ofInstallation, page, screen, type Screen } from '../kit/screen';

/** What `queue.list` answers, as far as it is shown. */
interface Listed {
  data: readonly { workspace_id: number; name: string; queued: number; waits_for: string; until: string | null }[];
  next_after: number | null;
}

/** What `destination.list` answers, as far as it is shown. */
interface Destinations {
  data: readonly {
    destination: string;
    workspace_id: number | null;
    title: string;
    pace: number;
    stopped_until: string | null;
    waiting: number;
    reply: string | null;
  }[];
}

const queues = screen('/queues', 'operator', async (visit) => {
  const { t, query, language } = visit;
  const { data, next_after: next } = await visit.read<Listed>('queue.list', filtersOf(query, ['after']));
  const { data: destinations } = await visit.read<Destinations>('destination.list', {});
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
          { title: t.queuesWaits, cell: ({ waits_for: reason }) => wordOf(t, reason) },
          { title: t.queuesUntil, is: 'time', cell: ({ until }) => time(until) },
        ],
        t.queuesNone,
      )}
      ${pager(t, null, next === null ? null : withQuery(`${BASE}/queues`, { after: next }))}
      <h2>${t.queuesDestinations}</h2>
      ${table(
        t.queuesDestinations,
        destinations,
        [
          {
            title: t.queuesDestination,
            cell: ({ title, workspace_id: id }) => (id === null ? title : `${title} (${t.trailWorkspace} ${id})`),
          },
          { title: t.queuesPace, is: 'number', cell: ({ pace }) => `${Math.round(pace * 100)} %` },
          { title: t.queuesStopped, is: 'time', cell: ({ stopped_until: until }) => time(until) },
          { title: t.queuesWaiting, is: 'number', cell: ({ waiting }) => count(waiting, language) },
          { title: t.queuesReply, cell: ({ reply }) => reply ?? '' },
        ],
        t.queuesUnpaced,
      )}`,
  );
});

export const QUEUES: readonly Screen[] = [ofInstallation(queues)];
