import type { Message } from '../../../domain/messages/message';
import { MINUTE } from '../../../lib/clock';
import type { EnrolledContact, JourneyRef } from '../../../stores/ports/journey-runs';
import { FINAL } from '../caller';
import type { Installation } from '../installation';
import type { Sender } from '../seed';
import { kindOf, SINK_BEHAVIOURS } from '../sink/behaviour';
import { readJournal, type Entry } from '../sink/journal';
import { allMessages, wrongCoins } from '../verdict';
import { AUDIENCE, STEPS, WAITS } from './definition';
import type { Traveller } from './people';

export interface JourneyVerdict {
  /** Everything that is wrong. */
  faults: string[];
  /** Contacts by how they ended. */
  ends: Record<string, number>;
  /** Steps that were done. */
  steps: number;
  /** Mails the sink took, and those it did not because a process died before the first byte. */
  taken: number;
  neverSent: number;
}

export interface JourneyEvidence {
  installation: Installation;
  journal: string;
  sender: Sender;
  journey: JourneyRef;
  /** Each contact by its id: a deleted one has no address. */
  people: ReadonlyMap<number, Traveller>;
  /** Who acted. */
  acted: ReadonlySet<number>;
  /** What arrived at the endpoint of the webhook step. */
  posted: ReadonlySet<string>;
}

const PAGE = 1_000;
/** Faults of one kind that are shown. */
const SHOWN = 10;
type Mails = ReadonlyMap<string, readonly Entry[]>;

/** Reads the contacts of a journey, in the order of their ids. */
export async function readEnrolled(installation: Installation, journey: JourneyRef): Promise<EnrolledContact[]> {
  const engine = await installation.open();
  const rows: EnrolledContact[] = [];
  try {
    for (let after = 0; ;) {
      const page = await engine.stores.journeyRuns.list(journey, after, PAGE);
      rows.push(...page);
      if (page.length < PAGE) return rows;
      after = page.at(-1)!.contactId;
    }
  } finally {
    await engine.close();
  }
}

/** Compares what the stopped service stored with what its contacts did and what the sink and the endpoint received. */
export async function judgeJourney(evidence: JourneyEvidence): Promise<JourneyVerdict> {
  const { installation, journal, sender, journey, people, posted } = evidence;
  const rows = await readEnrolled(installation, journey);
  const { mails, faults } = readMails(journal);
  const engine = await installation.open();
  try {
    const { stores } = engine;
    const messages = new Map<string, Message>();
    for await (const message of allMessages(stores, sender.workspaceId)) messages.set(message.id, message);
    const made = rows.flatMap(({ steps }) => steps.flatMap(({ messageId }) => messageId ?? []));
    const known = new Set(made);
    const strays = [...messages.keys(), ...mails.keys()].filter((id) => !known.has(id));
    const posts = rows.flatMap(({ id, steps }) => steps.flatMap((one) => (one.type === 'webhook' ? `${id}:3` : [])));
    const audience = (await stores.audiences.list(sender.workspaceId)).find(({ name }) => name === AUDIENCE);
    const joined = rows.filter(({ steps }) => steps.length === STEPS.length).length;
    return {
      faults: [
        ...some(faults),
        ...(rows.length === people.size ? [] : [`${rows.length} enrollments, not ${people.size}`]),
        ...(known.size === made.length ? [] : ['two steps share a mail']),
        ...some(rows.flatMap((row) => judgeRow(row, evidence, messages))),
        ...some(made.flatMap((id) => judgeMail(id, messages, mails))),
        ...some(strays.map((id) => `${id} is no mail of a step`)),
        ...(posts.sort().join() === [...posted].sort().join()
          ? []
          : [`${posted.size} posts arrived, not ${posts.length}`]),
        ...(audience?.contactsCount === joined ? [] : [`${audience?.contactsCount} are in the list, not ${joined}`]),
        ...some(await wrongCoins(stores, [sender], messages)),
      ],
      ends: endsOf(rows),
      steps: rows.reduce((sum, { steps }) => sum + steps.length, 0),
      taken: mails.size,
      neverSent: made.filter((id) => !mails.has(id) && kindOf(messages.get(id)?.toText ?? '') !== 'reject').length,
    };
  } finally {
    await engine.close();
  }
}

function readMails(journal: string): { mails: Mails; faults: string[] } {
  const mails = new Map<string, Entry[]>();
  const faults: string[] = [];
  for (const entry of readJournal(journal)) {
    if (entry.what === 'mail') {
      mails.set(entry.messageId, [...(mails.get(entry.messageId) ?? []), entry]);
      if (entry.fault !== null) faults.push(`${entry.to}: ${entry.fault}`);
    } else if (!entry.reply.startsWith('2')) faults.push(`a report of ${entry.messageId} got ${entry.reply}`);
  }
  return { mails, faults };
}

/** Every step once and in order, none after it left, and an end that fits what the contact did. */
function judgeRow(row: EnrolledContact, evidence: JourneyEvidence, messages: ReadonlyMap<string, Message>): string[] {
  const { steps, status, reason, endedAt, contactId } = row;
  const person = evidence.people.get(contactId);
  if (!person) return [`contact ${contactId} is a stranger`];
  const types = steps.map(({ step, type }) => `${step} ${type}`);
  const way = STEPS.slice(0, steps.length).map((type, n) => `${n + 1} ${type}`);
  const inOrder = types.join() === way.join() && steps.every(({ at }, n) => at >= (steps[n - 1]?.at ?? 0));
  const inTime = steps.every(({ step, at }, n) => at >= (steps[n - 1]?.at ?? 0) + (WAITS[step] ?? MINUTE) - MINUTE);
  const after = steps.some(({ at }) => at > (endedAt ?? 0));
  const expected = expectedEnd(person, row, evidence, messages);
  const found = status === 'left' ? reason : status;
  const whole = status !== 'completed' || steps.length === STEPS.length;
  if (inOrder && inTime && !after && whole && found === expected) return [];
  const about = `${person.email} ${found}, and should be ${expected}; ended ${endedAt}`;
  return [`${about}, did ${steps.map(({ at }, n) => `${types[n]} at ${at}`).join(', ')}`];
}

/** A mail that was never sent, since a process died before its first byte, makes nobody leave. */
function expectedEnd(
  { kind, leaves, act, n }: Traveller,
  { steps }: EnrolledContact,
  { acted }: JourneyEvidence,
  messages: ReadonlyMap<string, Message>,
): string {
  if (act !== null) return acted.has(n) && leaves !== null ? leaves : 'completed';
  const { ends } = SINK_BEHAVIOURS[kind];
  const sent = steps.some(({ messageId }) => messages.get(messageId ?? '')?.status === ends);
  // The report on the last mail comes after the last step.
  return leaves !== null && sent && steps.length < STEPS.length ? leaves : 'completed';
}

function judgeMail(id: string, messages: ReadonlyMap<string, Message>, mails: Mails): string[] {
  const message = messages.get(id);
  if (!message) return [`the mail ${id} of a step is missing`];
  const got = mails.get(id) ?? [];
  if (got.length > 1) return [`${message.toText}: ${id} came ${got.length} times`];
  const [first] = got;
  const ends = first?.what === 'mail' ? SINK_BEHAVIOURS[kindOf(first.to)].ends : 'failed';
  if (message.status === ends) return [];
  const state = FINAL.has(message.status) ? 'ended as' : 'is still';
  return [`${message.toText}: ${id} ${state} ${message.status}, and should have ended as ${ends}`];
}

function endsOf(rows: readonly EnrolledContact[]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { status, reason } of rows) {
    const end = status === 'left' ? `left: ${reason}` : status;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

const some = (faults: readonly string[]): string[] =>
  faults.length > SHOWN ? [...faults.slice(0, SHOWN), `and ${faults.length - SHOWN} more like the last`] : [...faults];
