import { afterEach, describe, expect, it } from '@jest/globals';
import { createJourneysConsumer } from '../../../consumers/journeys';
import { stepWork } from '../../../consumers/journeys/step-work';
import { MINUTE, SECOND } from '../../../lib/clock';
import { messageId, TEST_KEYRING } from '../../support/builders';
import { dueRunner } from '../../support/due-work';
import { freshEngine, type OpenEngine } from '../harness';
import { at, eventually } from '../helpers';
import { enrollSome, newJourney, oneOf, WAIT } from './support';

/** What the record of an enrollment does. */
export function wakeCases(open: OpenEngine): void {
  describe('the record of a new enrollment', () => {
    const subject = freshEngine(open);
    let stop: () => Promise<void>;
    afterEach(() => stop());

    it('has the first step taken on the minute, before the steps are looked for again', async () => {
      const { stores, clock, log } = subject;
      const journey = await newJourney(subject, { steps: [{ kind: 'add_to_audience', audienceId: 9e8 }, WAIT] });
      clock.advance(MINUTE - SECOND - (clock.now() % MINUTE));
      const accept = { stores, log, keyring: TEST_KEYRING, clock, newId: () => messageId() };
      const { runner, idle } = dueRunner(subject, 'journey-step', stepWork({ stores, clock, accept }));
      stop = () => runner.stop();
      runner.start();
      await idle();
      await enrollSome(subject, journey);
      await eventually(async () => expect(subject.records('journeys.enrollments')).not.toEqual([]));
      clock.advance(SECOND);
      expect((await oneOf(subject, journey)).steps).toEqual([]);
      const group = createJourneysConsumer({ stores, clock, wakeSteps: () => runner.wake() });
      expect(await group.handle(at(subject.records('journeys.enrollments'), 0))).toEqual({ kind: 'ok' });
      await eventually(async () => expect((await oneOf(subject, journey)).steps).toHaveLength(1));
    });
  });
}
