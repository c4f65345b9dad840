import type { Command } from 'commander';
import { makeCollections, viewCollections } from '../app/operator/installation';
import type { BareVerbSpec, Commands } from './support/command';
import { table } from './support/table';

const list: BareVerbSpec = {
  name: 'list',
  summary: 'compare the collections of the store and their indexes with what they should be',
  examples: [
    ['indexes list', 'exit code 1 when one is missing or differs'],
    ['indexes list --json', 'for a monitor'],
  ],
  bare: true,
  run:
    () =>
    async ({ host, paint }) => {
      const collections = await viewCollections(host.config());
      const ok = collections.every(({ differences }) => differences.length === 0);
      const rows = collections.map(({ collection, indexes }) => [collection, indexes.join(', ')]);
      const columns = [{ title: 'collection' }, { title: 'indexes', max: 120 }];
      const wrong = collections.flatMap(({ differences }) => differences.map((text) => `${paint('bad', text)}\n`));
      const none = 'The embedded engine creates its tables with its file.';
      return {
        text: [table(paint, columns, rows, none), ...wrong].join(''),
        json: { ok, data: collections },
        code: ok ? 0 : 1,
      };
    },
};

const create: BareVerbSpec = {
  name: 'create',
  summary: 'create missing collections and indexes, as every start does; refuses when one differs',
  examples: [['indexes create', 'before the first start, with an account that may']],
  bare: true,
  run:
    () =>
    async ({ host }) => {
      const created = await makeCollections(host.config());
      return {
        text: created.length === 0 ? 'No indexes were missing.\n' : `Created ${created.join(', ')}.\n`,
        json: { created },
      };
    },
};

/** `kurir indexes`: the collections and indexes of the store. */
export const indexesCommand = (commands: Commands): Command =>
  commands.group('indexes', 'collections and indexes of the store: check them, create missing ones', [list, create]);
