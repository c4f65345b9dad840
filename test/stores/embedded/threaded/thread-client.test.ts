import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuplicateError, NewerSchemaError, UnavailableError } from '../../../../lib/errors';
import { frozenClock } from '../../../support/clock';
import { GroupCommit } from '../../../../stores/embedded/group-commit';
import { Database } from '../../../../stores/embedded/database/database';
import { TopicSignals } from '../../../../stores/embedded/log/topic-signals';
import { embeddedParts } from '../../../../stores/embedded/stores';
import { flatten } from '../../../../stores/embedded/threaded/flat-error';
import { INNER_METHODS, threadMethods } from '../../../../stores/embedded/threaded/methods';
import { ThreadClient } from '../../../../stores/embedded/threaded/thread-client';

/** The names of all methods that the store's thread answers to. */
function namesOfMethods(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-thread-'));
  const db = new Database(join(folder, 'kurir.db'));
  const commits = new GroupCommit(
    db,
    () => 0,
    () => undefined,
  );
  const { now } = frozenClock();
  const parts = embeddedParts(db, commits, new TopicSignals(() => false), now, {});
  const names = [...threadMethods(parts, db, commits).keys()];
  commits.close();
  db.close();
  rmSync(folder, { recursive: true });
  return names;
}

/** What stores take and give: plain data, with bytes, dates, sets and maps in it. */
const values = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true });

describe('calls of the store in its thread', () => {
  const gone: Error[] = [];
  let client: ThreadClient;
  beforeAll(() => {
    client = new ThreadClient(
      join(__dirname, 'echo-thread.js'),
      { file: '' },
      { now: () => 0, onAnswers: () => undefined, onGone: (error) => void gone.push(error) },
    );
  });
  afterAll(() => client.terminate());

  it('every method of every store passes: its arguments and its result survive the copy', async () => {
    const names = namesOfMethods();
    expect(names.length).toBeGreaterThan(100);
    expect(names).toEqual(expect.arrayContaining([...INNER_METHODS, 'messages.get', 'queue.claim', 'log.publish']));
    const calls = fc.array(fc.tuple(fc.constantFrom(...names), fc.array(values, { maxLength: 4 })), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(calls, async (made) => {
        const safe = made.filter(([, [first]]) => first !== 'throw');
        const answers = await Promise.all(safe.map(([name, args]) => client.call(name, args)));
        expect(answers).toEqual(safe.map(([name, args]) => ({ name, args })));
      }),
      { numRuns: 60 },
    );
    expect(gone).toEqual([]);
  });

  it.each([DuplicateError, NewerSchemaError, UnavailableError, RangeError])(
    '%p keeps its class or name',
    async (Class) => {
      const call = client.call('messages.get', ['throw', flatten(new Class('what happened'))]);
      await expect(call).rejects.toThrow('what happened');
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect((error as Error).name).toBe(Class.name);
      if (Class !== RangeError) expect(error).toBeInstanceOf(Class);
    },
  );
});
