import { makeNewId } from '../app/services';
import type { EnrolRefusal } from '../domain/journeys/enrollment';
import type { EnrolledContact } from '../stores/ports/journey-runs';
import { address, traceOf } from './support/addresses';
import type { VerbSpec } from './support/command';
import { needConsent } from './support/contact-import';
import { CommandError } from './support/errors';
import { whole } from './support/input';
import { JOURNEY_ARGS, readJourneyArgs } from './support/journey-answer';
import { findContact, unknownJourney } from './support/lookups';
import { table } from './support/table';
import { jsonTime, showTime } from './support/times';
import { objectTime } from '../schemas/rules/timestamps';
import { postId } from '../domain/journeys/journey-post';
import { presentAttempt } from '../presenters/delivery';

const EMAIL = ['<email>', 'address of the contact'] as const;
const MOST_ROWS = 1_000;
const DEFAULT_ROWS = 100;

const present = (row: EnrolledContact) => ({
  email: row.email,
  status: row.status,
  reason: row.reason,
  version: row.version,
  goal_reached: row.goalAt !== null,
  enrolled_at: jsonTime(row.enrolledAt),
  due_at: jsonTime(row.dueAt),
  ended_at: jsonTime(row.endedAt),
  steps: row.steps.map(({ step, type, at, outcome, reason, messageId }) => ({
    step,
    type,
    at: jsonTime(at),
    outcome,
    reason,
    message_id: messageId,
  })),
});

const enrolments: VerbSpec = {
  name: 'enrolments',
  summary: 'the contacts of a journey, and the steps of each',
  args: JOURNEY_ARGS,
  options: [
    ['--limit <number>', `how many, at most ${MOST_ROWS} (default ${DEFAULT_ROWS})`],
    ['--after <number>', 'next_after of the page before'],
  ],
  examples: [
    ['journey enrolments "Toko Melati" Sambutan', 'where each one is'],
    ['journey enrolments "Toko Melati" Sambutan --limit 1000 --json', 'with every step and its outcome'],
  ],
  run: (input) => {
    const find = readJourneyArgs(input);
    const limit = input.option('limit', whole(1, MOST_ROWS)) ?? DEFAULT_ROWS;
    const after = input.option('after', whole(0, Number.MAX_SAFE_INTEGER)) ?? 0;
    return async (session) => {
      const rows = await session.stores.journeyRuns.list(await find(session), after, limit);
      const last = rows.at(-1);
      const nextAfter = last && rows.length === limit ? last.contactId : null;
      const columns = [
        { title: 'contact' },
        { title: 'status', status: true },
        { title: 'version' },
        { title: 'step' },
        { title: 'due' },
        { title: 'goal' },
        { title: 'reason' },
      ];
      const cells = rows.map((row) => [
        row.email,
        row.status,
        row.version,
        row.step,
        showTime(row.dueAt),
        row.goalAt === null ? null : 'reached',
        row.reason,
      ]);
      const more = nextAfter === null ? '' : `More: --after ${nextAfter}\n`;
      return {
        text: table(session.paint, columns, cells, 'No contact entered it yet.') + more,
        json: { data: rows.map(present), next_after: nextAfter },
      };
    };
  },
};

const posts: VerbSpec = {
  name: 'posts',
  summary: 'the requests of webhook steps with their attempts, newest first; kept for 30 days',
  args: JOURNEY_ARGS,
  options: [['--limit <number>', `how many, at most ${MOST_ROWS} (default ${DEFAULT_ROWS})`]],
  examples: [
    ['journey posts "Toko Melati" Sambutan', 'what the endpoints answered'],
    ['journey posts "Toko Melati" Sambutan --json', 'with every attempt and the answers'],
  ],
  run: (input) => {
    const find = readJourneyArgs(input);
    const limit = input.option('limit', whole(1, MOST_ROWS)) ?? DEFAULT_ROWS;
    return async (session) => {
      const rows = await session.stores.journeyPosts.list(await find(session), limit);
      const columns = [
        { title: 'contact' },
        { title: 'step' },
        { title: 'state', status: true },
        { title: 'attempts' },
        { title: 'last' },
        { title: 'result' },
      ];
      const cells = rows.map(({ email, step, state, attempts }) => {
        const last = attempts.at(-1);
        return [email, step, state, attempts.length, showTime(last?.at ?? null), last?.error ?? last?.status ?? null];
      });
      return {
        text: table(session.paint, columns, cells, 'No webhook step was reached in the last 30 days.'),
        json: {
          data: rows.map((post) => ({
            id: postId(post),
            email: post.email,
            step: post.step,
            state: post.state,
            created_at: objectTime(post.createdAt),
            attempts: post.attempts.map(presentAttempt),
          })),
        },
      };
    };
  },
};

/** Why a contact cannot enter, and what to do about it. */
const REFUSALS: Record<Exclude<EnrolRefusal, 'no_journey'>, readonly [string, string]> = {
  not_api: ['It is not entered that way.', ''],
  not_active: ['The journey is not active.', 'kurir journey activate begins it.'],
  suppressed: ['The address is on a suppression list.', 'kurir suppress list shows why.'],
  unsubscribed: [
    'The contact is not subscribed.',
    'kurir contact resubscribe makes it subscribed again, if it has agreed.',
  ],
};

const enrol: VerbSpec = {
  name: 'enrol',
  summary: 'let a contact enter an active journey, whatever its trigger; each contact enters once',
  args: [...JOURNEY_ARGS, EMAIL],
  options: [['--consent', 'it has agreed to get mail from this workspace; required']],
  examples: [
    ['journey enrol "Toko Melati" Sambutan budi@example.com --consent', 'its first step runs within a minute'],
  ],
  run: (input) => {
    const find = readJourneyArgs(input);
    const email = input.arg('email', address);
    needConsent(input);
    return async (session) => {
      const { id: journeyId, workspaceId, name } = await find(session);
      const keyring = await session.keyring();
      await session.note('journey enrol', `${name}: ${traceOf(keyring, email)}`, workspaceId);
      const at = session.clock.now();
      const outcome = await session.stores.journeyRuns.enrol({
        id: makeNewId(session.clock)(),
        workspaceId,
        journeyId,
        contact: { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at },
        at,
        by: 'operator',
      });
      if (outcome.kind === 'refused') {
        if (outcome.because === 'no_journey') throw unknownJourney(name);
        throw new CommandError(...REFUSALS[outcome.because]);
      }
      const enrolled = outcome.kind === 'enrolled';
      return {
        text: enrolled ? `${email} is in the journey.\n` : `${email} entered the journey before; it enters once.\n`,
        json: { journey_id: journeyId, email, enrolled },
      };
    };
  },
};

const remove: VerbSpec = {
  name: 'remove',
  summary: 'take a contact out of a journey for good',
  args: [...JOURNEY_ARGS, EMAIL],
  examples: [['journey remove "Toko Melati" Sambutan budi@example.com', 'it gets no further step']],
  run: (input) => {
    const find = readJourneyArgs(input);
    const email = input.arg('email', address);
    return async (session) => {
      const { stores, clock } = session;
      const { id: journeyId, workspaceId, name } = await find(session);
      const { id: contactId } = await findContact(stores, workspaceId, email);
      await session.note('journey remove', `${name}: ${traceOf(await session.keyring(), email)}`, workspaceId);
      const left = await stores.journeyRuns.leave({ workspaceId, contactId, journeyId }, 'removed', clock.now());
      if (left > 0)
        return { text: `${email} has left the journey.\n`, json: { journey_id: journeyId, email, removed: true } };
      throw new CommandError(
        `<email>: ${email} is not in "${name}".`,
        'kurir journey enrolments shows who is.',
        '<email>',
      );
    };
  },
};

/** The verbs about the contacts of a journey. */
export const CONTACT_VERBS: readonly VerbSpec[] = [enrol, enrolments, posts, remove];
