import { describe, expect, it } from '@jest/globals';
import { importContacts, type ImportCounts } from '../../../operations/contacts/import-contacts';
import { CsvFile } from '../../../lib/csv/csv-file';
import { UnavailableError } from '../../../lib/errors';
import type { BulkContacts } from '../../../stores/ports/bulk-contacts';
import type { Engine } from '../../../stores/ports/engine';
import { TEST_KEYRING } from '../../support/builders';
import { anAudience } from '../../support/marketing';
import { TestOperator } from '../../support/test-operator';

const operator = TestOperator.ofFile(['workspace', 'create', 'Melati'], ['workspace', 'create', 'Mawar']);

const LINES = 4_300;
const FILE = ['email,name,status'];
for (let n = 0; n < LINES; n += 1) FILE.push(`u${n % 4_000}@x.example,Nama ${n},${n % 7 === 0 ? 'bounced' : ''}`);

async function* chunks(): AsyncGenerator<string> {
  for (let from = 0; from < FILE.length; from += 100) yield `${FILE.slice(from, from + 100).join('\n')}\n`;
}

function run({ stores }: Engine, workspaceId: number, audienceId: number, bulkContacts = stores.bulkContacts) {
  return importContacts(
    { stores: { bulkContacts }, keyring: TEST_KEYRING, clock: operator.clock },
    {
      workspaceId,
      audienceId,
      file: new CsvFile(chunks()),
      onHeader: () => undefined,
      onRefused: () => undefined,
    },
  );
}

/** Loses the connection at the third batch, before or after it took effect. */
function failing(bulkContacts: BulkContacts, when: 'before' | 'after'): BulkContacts {
  let batches = 0;
  return {
    ...bulkContacts,
    add: async (batch) => {
      batches += 1;
      if (batches < 3) return bulkContacts.add(batch);
      if (when === 'after') await bulkContacts.add(batch);
      throw new UnavailableError('gone');
    },
  };
}

describe('an import that ended in the middle', () => {
  it.each(['before', 'after'] as const)('%s a batch took effect ends the same when it is run again', async (when) => {
    await operator.with(async (engine) => {
      const { audiences, bulkContacts } = engine.stores;
      const states: object[] = [];
      const counts: ImportCounts[] = [];
      for (const workspaceId of [1, 2]) {
        const { id } = await audiences.create(anAudience(workspaceId));
        if (workspaceId === 2) {
          await expect(run(engine, workspaceId, id, failing(bulkContacts, when))).rejects.toThrow(UnavailableError);
        }
        counts.push(await run(engine, workspaceId, id));
        const members = await bulkContacts.members(workspaceId, id, 0, 10_000);
        states.push({
          members: members.map(({ contact: { email, name, status } }) => ({ email, name, status })),
          count: (await audiences.get(workspaceId, id))?.contactsCount,
        });
      }
      expect(states[1]).toEqual(states[0]);
      expect(states[0]).toMatchObject({ count: 4_000 });
      for (const { lines, created, existing, refused } of counts) expect(created + existing + refused).toBe(lines);
    });
  });
});
