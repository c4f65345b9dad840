import { LOG } from '../../operations/installation/installation';
import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { html } from '../kit/html';
import { further, table, time } from '../kit/components';
import { ofInstallation, page, screen, type Screen } from '../kit/screen';

const trail = screen('/trail', 'operator', async (visit) => {
  const { t, query } = visit;
  const { data, next_before: next } = await visit.read(LOG.log, filtersOf(query, ['before']));
  return page(
    t.trailTitle,
    html`<h1>${t.trailTitle}</h1>
      <p class="soft">${t.trailAbout}</p>
      ${table(
        t.trailTitle,
        data,
        [
          { title: t.trailTime, is: 'time', cell: ({ at }) => time(t, at) },
          { title: t.trailWho, cell: ({ actor }) => actor },
          { title: t.trailDid, cell: ({ action }) => action },
          {
            title: t.trailWorkspace,
            cell: ({ workspace_id: id }) => id !== null && html`<a href="${BASE}/w/${id}">${id}</a>`,
          },
          { title: t.trailWhat, cell: ({ target }) => target },
        ],
        t.trailNone,
      )}
      ${further(t, `${BASE}/trail`, { before: next })}`,
  );
});

export const TRAIL: readonly Screen[] = [ofInstallation(trail)];
