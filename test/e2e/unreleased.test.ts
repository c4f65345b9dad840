import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from '../../proof/crash/installation';
import { SECRET } from '../../proof/crash/seed';
import { openMongo, type Mongo } from '../../stores/mongodb/database/client';
import { documents } from '../../stores/mongodb/database/documents';
import { describeOnEngines } from '../support/engines';
import { testEnv } from '../support/running';
import { kurir, runToEnd } from '../support/service';

const SAID = {
  embedded:
    'The data was made by a version before 0.1.0, which was never released: start on an empty data directory (KURIR_DATA_DIR), or go back to that version.',
  cluster:
    / was made by a version before 0\.1\.0, which was never released: start on an empty database \(MONGODB_DATABASE\)/,
};

describeOnEngines('data that a version before the first release made', (install) => {
  let installation: Installation;
  beforeAll(async () => {
    installation = install();
    await (await installation.open()).close();
    await withoutMark();
  });
  afterAll(() => installation.remove());

  const file = (): string => join(installation.env['KURIR_DATA_DIR'] ?? '', 'kurir.sqlite');

  async function onMongo<T>(work: (mongo: Mongo) => Promise<T>): Promise<T> {
    const { MONGODB_URL: url = '', MONGODB_DATABASE: database = '' } = installation.env;
    const mongo = await openMongo({ url, database });
    return work(mongo).finally(() => mongo.close());
  }

  /** Takes the schema back to how those versions noted it. */
  async function withoutMark(): Promise<void> {
    if (installation.engine === 'cluster') {
      const older = { $set: { version: 19 }, $unset: { since: '' as const } };
      await onMongo((mongo) => documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, older));
      return;
    }
    const db = new DatabaseSync(file());
    db.exec('PRAGMA user_version = 20; PRAGMA application_id = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  }

  const stored = (): Promise<unknown> =>
    installation.engine === 'cluster'
      ? onMongo((mongo) => documents(mongo.db, 'meta').findOne())
      : Promise.resolve(readFileSync(file()));

  it('is refused by the service and by every command in one sentence, and left as it is', async () => {
    const before = await stored();
    const { code, printed } = await runToEnd({ ...testEnv(installation), KURIR_SECRET: SECRET });
    expect(code).toBe(1);
    const said = SAID[installation.engine];
    expect(printed).toMatch(said);
    const backup = installation.engine === 'embedded' ? [['backup', `${file()}.tar`]] : [];
    for (const command of [['workspace', 'list'], ['audit'], ['upgrade', 'check'], ...backup]) {
      const asked = await kurir(installation, command, { KURIR_SECRET: SECRET }).catch(
        (error: unknown) => error as { stderr: string },
      );
      expect(`${command[0]}: ${asked.stderr}`).toMatch(said);
    }
    expect(await stored()).toEqual(before);
  });
});
