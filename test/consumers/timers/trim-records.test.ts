import { expect, it } from '@jest/globals';
import { createTimers } from '../../../consumers/timers';
import { SESSIONS, beginSession } from '../../../operations/people/sessions';
import { Activity } from '../../../lib/activity';
import { DAY, HOUR } from '../../../lib/clock';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { eventually } from '../../contract/helpers';
import { noReport } from '../../support/due-work';

const subject = freshEngine(openTemporary);

it('expired sessions are removed from the record store, and others stay', async () => {
  const { stores, log, clock } = subject;
  const people = { records: stores.records, clock };
  const by = { by: 'password', address: '::1', agent: '' } as const;
  await beginSession(people, 'old@toko.example', by);
  const before = clock.now();
  clock.advance(13 * HOUR);
  await beginSession(people, 'new@toko.example', by);
  const timers = createTimers({
    stores,
    log,
    clock,
    activity: new Activity(),
    work: noReport,
    evidenceWait: HOUR,
    deliveriesKept: 30 * DAY,
    logger: { error() {}, warn() {} },
  });
  timers.start();
  // As of a time at which none had expired: only what is removed is missing.
  const users = async () => (await stores.records.list(SESSIONS, { limit: 9 }, before)).map(({ user }) => user);
  expect(await users()).toHaveLength(2);
  await eventually(async () => expect(await users()).toEqual(['new@toko.example']));
  await timers.stop();
});
