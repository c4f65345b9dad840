import type { Enrollment, EnrollmentStep } from '../journeys/enrollment';
import type { JourneyStatus, JourneyStep } from '../journeys/journey';
import { numberSteps, type NumberedStep } from '../journeys/journey-flow';
import { MAX_POSTS } from '../journeys/journey-post';
import { OVERDUE_GRACE } from './check-deadline';
import { showTime, unless, type Difference } from './difference';

/** A post as it is stored. */
export interface PostRecord {
  step: number;
  state: string;
  /** Number of attempts; null when they cannot be read. */
  attempts: number | null;
  /** True when the last attempt succeeded. */
  succeeded: boolean;
  hasTask: boolean;
}

/** An enrollment and everything that is stored about its way, as of one moment. */
export interface EnrollmentRecord {
  enrollment: Pick<Enrollment, 'id' | 'journeyId' | 'version' | 'step' | 'dueAt' | 'goalAt' | 'endedAt'> & {
    status: string;
    reason: string | null;
  };
  /** Null: there is no such journey. */
  journeyStatus: JourneyStatus | null;
  /** The steps of its version; null: there is none, or it cannot be read. */
  steps: readonly JourneyStep[] | null;
  /** In order. `hasMail`: its message exists, and is of this step. */
  done: readonly (Omit<EnrollmentStep, 'reason'> & { hasMail: boolean })[];
  /** True when its next step has a due task, or the journey the one that schedules it. */
  hasTask: boolean;
  hasResume: boolean;
  posts: readonly PostRecord[];
  /** Posts of steps before may have been deleted for their age, ms; null: none was. */
  trimmedBefore: number | null;
}

/**
 * Checks an enrollment: every step once, in the order of its version, none after it left, with its mail or its post,
 * and with its due work as long as it goes on (docs/architecture.md#journeys).
 */
export function checkEnrollment(record: EnrollmentRecord): readonly Difference[] {
  const { enrollment, steps } = record;
  const subject = `enrollment ${enrollment.id}`;
  if (steps === null) {
    const { journeyId, version } = enrollment;
    return unless(false, 'enrollment-version', subject, `version ${version} of journey ${journeyId}`, 'none');
  }
  return [
    ...checkWay(record, numberSteps(steps), subject),
    ...checkEnd(record, subject),
    ...checkMails(record, subject),
    ...checkWork(record, subject),
    ...checkPosts(record, subject),
  ];
}

/**
 * Finds a step that was not done though it was due while the service ran; `alive` (ms, null = it never ran) is a time
 * its clock had reached. Null when there is none. A paused journey keeps its places, and one that goes on takes its
 * time.
 */
export function findOverdueStep(
  { enrollment: { id, status, step, dueAt }, journeyStatus, hasResume }: EnrollmentRecord,
  alive: number | null,
): Difference | null {
  const waits = status !== 'active' || journeyStatus !== 'active' || hasResume;
  if (waits || alive === null || dueAt === null || dueAt + OVERDUE_GRACE >= alive) return null;
  const expected = `step ${step} soon after ${showTime(dueAt)}`;
  return { rule: 'overdue', subject: `enrollment ${id}`, expected, found: `not done at ${showTime(alive)}` };
}

/** Each step that was done must be the one that follows from the one before. */
function checkWay(
  { enrollment, done }: EnrollmentRecord,
  numbered: readonly NumberedStep[],
  subject: string,
): readonly Difference[] {
  let next: number | null = numbered.length > 0 ? 1 : null;
  for (const row of done) {
    const here = next === null ? undefined : numbered[next - 1];
    const found = `${row.type} ${row.step}`;
    if (!here) return unless(false, 'enrollment-steps', subject, 'no step behind the last one', found);
    const expected = `${here.step.kind} ${here.number}`;
    if (found !== expected) return unless(false, 'enrollment-steps', subject, expected, found);
    const way = wayOn(here, row.outcome);
    if (way === undefined) return unless(false, 'enrollment-steps', subject, `${expected}: an outcome`, row.outcome);
    next = way;
  }
  if (enrollment.status === 'active') {
    const found = `it is at ${enrollment.step}`;
    return unless(next === enrollment.step, 'enrollment-steps', subject, `it is at ${next ?? 'its end'}`, found);
  }
  if (enrollment.status !== 'completed') return [];
  return unless(next === null, 'enrollment-steps', subject, `completed: step ${next} was done`, 'it was not');
}

/** The number of the step behind; undefined when a step of this kind cannot end so. */
function wayOn(here: NumberedStep, outcome: EnrollmentStep['outcome']): number | null | undefined {
  if ('next' in here) return outcome === 'done' || outcome === 'refused' ? here.next : undefined;
  return outcome === 'then' || outcome === 'else' ? here[outcome] : undefined;
}

function checkEnd({ enrollment, done }: EnrollmentRecord, subject: string): readonly Difference[] {
  const { status, reason, goalAt, endedAt } = enrollment;
  if (status !== 'active' && status !== 'completed' && status !== 'left') {
    return unless(false, 'value', subject, 'status active, completed or left', `status ${status}`);
  }
  const left = status === 'left';
  const hasEnd = status === 'active' ? endedAt === null : endedAt !== null;
  const fits = hasEnd && left === (reason !== null) && (reason !== 'goal' || goalAt !== null);
  const last = done.reduce((latest, { at }) => Math.max(latest, at), 0);
  const until = endedAt ?? Infinity;
  return [
    ...unless(
      fits,
      'enrollment-left',
      subject,
      `${status}: ${status === 'active' ? 'no end' : 'the time of its end'}, ${left ? 'and the reason' : 'and no reason'}`,
      `ended ${showTime(endedAt)}, reason ${reason ?? 'none'}, goal ${showTime(goalAt)}`,
    ),
    ...unless(
      last <= until,
      'enrollment-left',
      subject,
      `${status}: no step after ${showTime(endedAt)}`,
      `a step at ${showTime(last)}`,
    ),
  ];
}

/** A mail step that was done has its message; nothing else has one. */
const checkMails = ({ done }: EnrollmentRecord, subject: string): readonly Difference[] =>
  done.flatMap(({ step, type, outcome, messageId, hasMail }) => {
    const needed = type === 'email' && outcome === 'done';
    const holds = needed ? hasMail : messageId === null;
    const expected = needed ? `step ${step}: its message` : `step ${step}: no message`;
    const found =
      messageId === null ? 'none' : `${messageId}, ${hasMail ? 'which exists' : 'which is not of this step'}`;
    return unless(holds, 'enrollment-mail', subject, expected, found);
  });

/** A paused journey parks the steps that fall due; they get their work back when it goes on. */
function checkWork(
  { enrollment, journeyStatus, hasTask, hasResume }: EnrollmentRecord,
  subject: string,
): readonly Difference[] {
  const { status } = enrollment;
  const show = (task: boolean): string => (task ? 'its due work' : 'no due work');
  if (status !== 'active') return unless(!hasTask, 'enrollment-work', subject, `${status}: no due work`, show(hasTask));
  const needed = journeyStatus === 'active' && !hasResume;
  return unless(hasTask || !needed, 'enrollment-work', subject, 'active: its due work', show(hasTask));
}

function checkPosts({ done, posts, trimmedBefore }: EnrollmentRecord, subject: string): readonly Difference[] {
  const reached = new Set(done.filter(({ type }) => type === 'webhook').map(({ step }) => step));
  const stored = new Set(posts.map(({ step }) => step));
  const missing = done.filter(
    ({ step, type, at }) => type === 'webhook' && !stored.has(step) && !(trimmedBefore !== null && at < trimmedBefore),
  );
  return [
    ...missing.flatMap(({ step }) => unless(false, 'journey-post', subject, `step ${step}: its post`, 'none')),
    ...posts.flatMap((post) => {
      const expected = expectedOf(post);
      const found = `${post.state}: ${post.attempts ?? 'unreadable'} attempts, ${post.succeeded ? 'the last one successful, ' : ''}${post.hasTask ? 'a due task' : 'no due task'}`;
      const holds = reached.has(post.step) && expected.holds;
      return unless(holds, 'journey-post', `${subject} step ${post.step}`, expected.text, found);
    }),
  ];
}

/** What holds for a post in its state. */
function expectedOf({ state, attempts, succeeded, hasTask }: PostRecord): { text: string; holds: boolean } {
  const made = attempts ?? Infinity;
  switch (state) {
    case 'waiting':
      return { text: `waiting: a due task, fewer than ${MAX_POSTS} attempts`, holds: hasTask && made < MAX_POSTS };
    case 'delivered':
      return {
        text: 'delivered: a last attempt that succeeded, no due task',
        holds: succeeded && !hasTask && made <= MAX_POSTS,
      };
    case 'given_up':
      return {
        text: `given_up: ${MAX_POSTS} attempts, no due task`,
        holds: made === MAX_POSTS && !succeeded && !hasTask,
      };
    default:
      return { text: 'cancelled: no due task', holds: state === 'cancelled' && !hasTask };
  }
}
