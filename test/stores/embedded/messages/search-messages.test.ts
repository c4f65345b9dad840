import { afterAll, describe, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadOnlyFile } from '../../../../stores/embedded/audit/read-only-file';
import { searchMessages } from '../../../../stores/embedded/messages/search-messages';
import { openEmbedded } from '../../../../stores/embedded/open';
import { frozenClock } from '../../../support/clock';
import { exerciseSearch } from '../../exercise-search';

describe('a search in a file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-search-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  it('finds the same in steps of any size', async () => {
    const file = join(dir, 'kurir.sqlite');
    const engine = await openEmbedded({ file, clock: frozenClock() });
    const db = new ReadOnlyFile(file);
    await exerciseSearch(engine.stores, (...search) => searchMessages(db, ...search));
    db.close();
    await engine.close();
  });
});
