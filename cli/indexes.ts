import { clusterOf } from './support/cluster';
import { bareCommand, type CliCommand } from './support/command';
import { upTo } from '../operations/definition';

const list = bareCommand('indexes.list', {
  summary: 'compare the collections and indexes of the store with the expected ones',
  examples: [
    ['indexes list', 'exit code 1 if one is missing or differs'],
    ['indexes list --json', 'for a monitor'],
  ],
  handler: async (_, { host }) => {
    const data = (await (await clusterOf(host))?.collections()) ?? [];
    return { ok: data.every(({ differences }) => differences.length === 0), data };
  },
  code: ({ ok }) => (ok ? 0 : 1),
  columns: { collection: 'collection', indexes: upTo(120, 'indexes') },
  none: 'The embedded engine creates its tables together with its file.',
  text: ({ data }, { paint }) =>
    data.flatMap(({ differences }) => differences.map((text) => `${paint('bad', text)}\n`)).join(''),
});

const create = bareCommand('indexes.create', {
  summary: 'create missing collections and indexes, as every start does; fails if one differs',
  examples: [['indexes create', 'before the first start, with a privileged account']],
  handler: async (_, { host }) => ({ created: (await (await clusterOf(host))?.makeCollections()) ?? [] }),
  text: ({ created }) => (created.length === 0 ? 'No indexes were missing.\n' : `Created ${created.join(', ')}.\n`),
});

/** `kurir indexes`: the collections and indexes of the store. */
export const INDEXES_COMMANDS: readonly CliCommand[] = [list, create];
