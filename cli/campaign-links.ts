import { linkReport, type LinkRow } from '../presenters/link-report';
import type { VerbSpec } from './support/command';
import { reference, whole } from './support/input';
import { findCampaign, findWorkspace } from './support/lookups';
import { table } from './support/table';

const present = (row: LinkRow) => ({
  link: row.link,
  url: row.url,
  varies: row.varies,
  clicks: row.clicks,
  clicks_by_people: row.clicksByPeople,
  people: row.people,
  percent: row.percent,
});

const urlText = ({ url, varies }: LinkRow): string =>
  `${url ?? 'not known any more'}${varies ? ' (differs by recipient)' : ''}`;

/** `kurir campaign links`. */
export const links: VerbSpec = {
  name: 'links',
  summary: 'the tracked links of a campaign, and who clicked them',
  args: [
    ['<workspace>', 'id or name'],
    ['<campaign>', 'id'],
  ],
  examples: [['campaign links "Toko Melati" 12', 'in the order of the mail']],
  notes: 'People are counted without machines, each once for a link; the percent are of delivered mails.',
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const id = input.arg('campaign', whole(1, Number.MAX_SAFE_INTEGER));
    return async ({ stores, paint }) => {
      const workspace = await findWorkspace(stores, ref);
      await findCampaign(stores, workspace.id, id);
      const rows = await linkReport(stores, { workspaceId: workspace.id, id });
      const columns = [
        { title: 'link' },
        { title: 'clicks' },
        { title: 'by people' },
        { title: 'people' },
        { title: '% of delivered' },
        { title: 'leads to', max: 80 },
      ];
      const cells = rows.map((row) => [
        row.link,
        row.clicks,
        row.clicksByPeople,
        row.people,
        row.percent,
        urlText(row),
      ]);
      const none = 'No tracked links: nothing was handed over yet, or the mail has none.';
      return { text: table(paint, columns, cells, none), json: { data: rows.map(present) } };
    };
  },
};
