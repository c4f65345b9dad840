import { DESTINATION } from '../../operations/destinations/destination';
import { QUEUE } from '../../operations/queue/queue';
import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { html } from '../kit/html';
import { count, further, percent, table, time, withQuery } from '../kit/components';
import { wordOf } from '../texts/word-of';
import { ofInstallation, page, screen, type Screen } from '../kit/screen';

const queues = screen('/queues', 'operator', async (visit) => {
  const { t, query, language } = visit;
  const { data, next_after: next } = await visit.read(QUEUE.list, filtersOf(query, ['after']));
  const { data: destinations } = await visit.read(DESTINATION.list, {});
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
          { title: t.queuesUntil, is: 'time', cell: ({ until }) => time(t, until) },
        ],
        t.queuesNone,
      )}
      ${further(t, `${BASE}/queues`, { after: next })}
      <h2>${t.queuesDestinations}</h2>
      ${table(
        t.queuesDestinations,
        destinations,
        [
          {
            title: t.queuesDestination,
            cell: ({ title, workspace_id: id }) => (id === null ? title : `${title} (${t.trailWorkspace} ${id})`),
          },
          { title: t.queuesPace, is: 'number', cell: ({ pace }) => percent(pace, 1, language) },
          { title: t.queuesStopped, is: 'time', cell: ({ stopped_until: until }) => time(t, until) },
          { title: t.queuesWaiting, is: 'number', cell: ({ waiting }) => count(waiting, language) },
          { title: t.queuesReply, cell: ({ reply }) => reply ?? '' },
        ],
        t.queuesUnpaced,
      )}`,
  );
});

export const QUEUES: readonly Screen[] = [ofInstallation(queues)];
