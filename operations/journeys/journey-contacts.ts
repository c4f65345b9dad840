import { journeyReason } from './journey-reasons';
import { makeNewId } from '../../lib/new-id';
import type { EnrollRefusal } from '../../domain/journeys/enrollment';
import { postId } from '../../domain/journeys/journey-post';
import type { EnrolledContact } from '../../stores/ports/journey-runs';
import { newContact } from '../contacts/new-contact';
import { enrollContact, removeFromJourney } from './enroll-contact';
import { presentAttempt } from '../../schemas/responses/delivery';
import {
  address,
  afterRow,
  argument,
  consent,
  contact,
  contactOf,
  facts,
  journey,
  longLimit,
  neededFound,
  operation,
  OperationError,
  optional,
  status,
  unknownJourney,
  workspace,
} from '../definition';

const present = (row: EnrolledContact) => ({
  ...facts(row, 'contactId', 'email', 'status', 'reason', 'version', 'step'),
  goal_reached: row.goalAt !== null,
  ...facts(row, 'enrolledAt', 'dueAt', 'endedAt'),
  steps: row.steps.map((step) => facts(step, 'step', 'type', 'at', 'outcome', 'reason', 'messageId')),
});

const enrollments = operation('journey.enrollments', 'viewer', {
  summary: 'list the contacts of a journey, with the steps of each',
  formerly: 'enrolments',
  arguments: { workspace, journey },
  options: {
    limit: longLimit,
    after: afterRow,
    contact: optional(neededFound('<contact>', 'only this contact, by id or email address', contact)),
  },
  examples: [
    ['journey enrollments "Toko Melati" Sambutan --contact budi@example.com', 'the path of one contact'],
    ['journey enrollments "Toko Melati" Sambutan', 'the current step of each contact'],
    ['journey enrollments "Toko Melati" Sambutan --limit 1000 --json', 'with every step and its outcome'],
  ],
  handler: async ({ journey: of, limit, after, contact: only }, { stores }) => {
    if (only) {
      const [next] = await stores.journeyRuns.list(of, only.id - 1, 1);
      return { data: next?.contactId === only.id ? [next] : [], next_after: null };
    }
    const data = await stores.journeyRuns.list(of, after, limit);
    return { data, next_after: data.length === limit ? (data.at(-1)?.contactId ?? null) : null };
  },
  json: ({ data, next_after: next }) => ({ data: data.map(present), next_after: next }),
  columns: {
    contact: 'email',
    status: status('status'),
    version: 'version',
    step: 'step',
    due: 'dueAt',
    goal: ({ goalAt }) => (goalAt === null ? null : 'reached'),
    reason: 'reason',
  },
  none: 'No contacts yet.',
  text: ({ next_after: next }) => (next === null ? '' : `More: --after ${next}\n`),
});

const posts = operation('journey.posts', 'viewer', {
  summary: 'list the requests of webhook steps with their attempts, newest first; kept for 30 days',
  arguments: { workspace, journey },
  options: { limit: longLimit },
  examples: [
    ['journey posts "Toko Melati" Sambutan', 'with the responses of your endpoints'],
    ['journey posts "Toko Melati" Sambutan --json', 'with every attempt and response'],
  ],
  handler: async ({ journey: of, limit }, { stores }) => ({ data: await stores.journeyPosts.list(of, limit) }),
  json: ({ data }) => ({
    data: data.map((post) => ({
      id: postId(post),
      ...facts(post, 'email', 'step', 'state', 'createdAt'),
      attempts: post.attempts.map(presentAttempt),
    })),
  }),
  columns: {
    contact: 'email',
    step: 'step',
    state: status('state'),
    attempts: ({ attempts }) => attempts.length,
    last: ({ attempts }, view) => view.time(attempts.at(-1)?.at ?? null),
    result: ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.status ?? null,
  },
  none: 'No webhook steps in the last 30 days.',
});

/** What to do about a contact that cannot enter. */
const FIXES: Record<Exclude<EnrollRefusal, 'no_journey'>, string> = {
  not_api: '',
  not_active: 'kurir journey activate starts it.',
  suppressed: 'kurir suppress list shows why.',
  unsubscribed: 'kurir contact resubscribe subscribes it again, with its consent.',
};

const enroll = operation('journey.enroll', 'editor', {
  summary: 'add a contact to an active journey, whatever its trigger; a contact enters only once',
  formerly: 'enrol',
  arguments: { workspace, journey, email: argument('email address of the contact', address) },
  options: { consent: consent('it has consented to receive email from this workspace; required') },
  examples: [
    ['journey enroll "Toko Melati" Sambutan budi@example.com --consent', 'its first step runs within a minute'],
  ],
  handler: async ({ workspace: home, journey: of, email }, session) => {
    const { clock, stores, note, actor: by } = session;
    const contact = newContact({ keyring: await session.keyring(), clock }, home, { email });
    const deps = { stores, note, newId: makeNewId(clock) };
    const outcome = await enrollContact(deps, of, contact, { source: 'cli', by });
    if (outcome.kind !== 'refused') return { journey_id: of.id, email, enrolled: outcome.kind === 'enrolled' };
    if (outcome.reason === 'no_journey') throw unknownJourney(of.name);
    throw new OperationError(journeyReason(outcome.reason), FIXES[outcome.reason]);
  },
  text: ({ email, enrolled }) =>
    enrolled
      ? `${email} is in the journey.\n`
      : `${email} has already been in this journey; a contact enters only once.\n`,
});

const remove = operation('journey.remove', 'editor', {
  irreversible: true,
  summary: 'remove a contact from a journey permanently',
  arguments: { workspace, journey, email: contactOf },
  examples: [['journey remove "Toko Melati" Sambutan budi@example.com', 'no further steps run']],
  handler: async ({ journey: of, email: contact }, session) => {
    const { email } = contact;
    if (await removeFromJourney(session, of, contact)) return { journey_id: of.id, email, removed: true };
    const fix = 'kurir journey enrollments shows its contacts.';
    throw new OperationError(journeyReason('not_in', { label: '<email>', email, name: of.name }), fix);
  },
  text: ({ email }) => `${email} was removed from the journey.\n`,
});

/** The operations about the contacts of a journey. */
export const JOURNEY_CONTACTS = { enroll, enrollments, posts, remove };
