import { expect, it } from '@jest/globals';
import { POST_WORK, STEP_WORK } from '../../../../domain/journeys/enrollment';
import { postId } from '../../../../domain/journeys/journey-post';
import { MINUTE } from '../../../../lib/clock';
import { documents } from '../../../../stores/mongodb/database/documents';
import { createSender } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { aJourney, anEnrollment } from '../../../support/marketing';
import { describeOn } from '../../../support/real-services';
import { at, present } from '../../../contract/helpers';
import { FlakyLog, ownDatabase } from '../support';
import { findingsIn } from './support';

describeOn(['mongodb'], 'the audit of enrollments in MongoDB', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const findings = async (): Promise<string[]> =>
    (await findingsIn(database.mongo, mongodb)).map((one) => `${one.rule}: ${one.expected}; ${one.found}`).sort();

  /** A contact that did a webhook step, and waits. */
  const waiting = async () => {
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const { id: workspaceId } = (await createSender(stores)).workspace;
    const steps = [
      { kind: 'webhook', url: 'https://hook.test/' },
      { kind: 'wait', ms: MINUTE },
    ] as const;
    const journey = await stores.journeys.create(aJourney(workspaceId, { steps: [...steps] }));
    await stores.journeyRuns.enroll(anEnrollment(journey));
    const claim = { kind: STEP_WORK, now: NOW, leaseUntil: NOW + 1_000, limit: 1 };
    const task = present((await stores.dueTasks.claim(claim))[0]);
    const id = postId({ enrollmentId: task.id, step: 1 });
    const done = { step: 1, type: 'webhook', at: NOW, outcome: 'done', reason: null, messageId: null } as const;
    await stores.journeyRuns.advance([
      {
        enrollmentId: task.id,
        from: 1,
        claim: task,
        steps: [done],
        end: { kind: 'waits', step: 2, since: NOW, dueAt: NOW + MINUTE },
        tasks: [{ kind: POST_WORK, id, workspaceId, lane: `${workspaceId}:${journey.id}`, dueAt: NOW, payload: {} }],
      },
    ]);
    const [enrollment] = await stores.journeyRuns.list({ workspaceId, id: journey.id }, 0, 1);
    return { stores, journey, enrollment: present(enrollment), id };
  };

  it('finds nothing in what is right, and each kind of damage', async () => {
    const { journey, enrollment, id } = await waiting();
    expect(await findings()).toEqual([]);
    const { db } = database.mongo;
    const _id = enrollment.id;
    const steps = documents(db, 'enrollmentSteps');
    const step = present(await steps.findOneAndDelete({ enrollmentId: _id }));
    expect(await findings()).toEqual([
      'enrollment-steps: it is at 1; it is at 2',
      expect.stringMatching(/^journey-post: waiting/),
    ]);
    await steps.insertOne({ ...step, messageId: 'nobody' });
    expect(await findings()).toEqual(['enrollment-mail: step 1: no message; nobody, which is not of this step']);
    await steps.replaceOne({ _id: step._id }, step);
    const enrollments = documents(db, 'enrollments');
    const left = { status: 'left' as const, reason: 'removed' as const, endedAt: NOW - 2 * MINUTE, dueAt: null };
    await enrollments.updateOne({ _id }, { $set: left });
    const tasks = documents(db, 'dueTasks');
    expect(await findings()).toEqual([
      expect.stringMatching(/^enrollment-left: left: no step after/),
      'enrollment-work: left: no due work; its due work',
    ]);
    const { steps: _steps, email: _email, id: _same, ...fields } = enrollment;
    await enrollments.replaceOne({ _id }, fields);
    await tasks.deleteMany({ kind: { $in: [STEP_WORK, POST_WORK] } });
    expect(await findings()).toEqual([
      'enrollment-work: active: its due work; no due work',
      'journey-post: waiting: a due task, fewer than 5 attempts; waiting: 0 attempts, no due task',
    ]);
    await documents(db, 'journeys').updateOne({ _id: journey.id }, { $set: { status: 'paused' } });
    await documents(db, 'journeyPosts').updateOne({ _id: id }, { $set: { state: 'cancelled' } });
    expect(await findings()).toEqual([]);
    await documents(db, 'journeyPosts').deleteOne({ _id: id });
    expect(await findings()).toEqual(['journey-post: step 1: its post; none']);
    await documents(db, 'journeyVersions').deleteMany({ journeyId: journey.id });
    expect(at(await findings(), 0)).toMatch(/^enrollment-version: version 1 of journey/);
  });
});
