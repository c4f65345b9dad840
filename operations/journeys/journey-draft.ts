import type { RecordEntry } from '../../domain/people/records';
import type { Journey } from '../../domain/journeys/journey';
import { looseJourney } from '../../schemas/journeys/loose-journey';
import { faultsText, journeyFile, readDefinition } from './journey-file';
import { printable } from '../../lib/printable';
import {
  FileContent,
  jsonTime,
  journey,
  operation,
  OperationError,
  option,
  type Session,
  whole,
  workspace,
} from '../definition';

const KIND = 'journey_draft';
type Draft = RecordEntry<typeof KIND>;

const idOf = ({ id }: Pick<Journey, 'id'>): string => String(id);
const MOST = 1_000_000_000;

/** What is kept for the next version of a journey; null when nothing is. */
const readDraft = ({ stores, clock }: Session, of: Journey): Promise<Draft | null> =>
  stores.records.get(KIND, idOf(of), clock.now());

/** Forgets what is kept. True if there was something. */
export const dropDraft = async ({ stores, clock }: Session, of: Pick<Journey, 'id'>): Promise<boolean> =>
  (await stores.records.take(KIND, idOf(of), clock.now())) !== null;

/** The draft of a journey with all that is wrong with it; null when there is none. */
export async function showDraft(session: Session, of: Journey): Promise<object | null> {
  const draft = await readDraft(session, of);
  if (!draft) return null;
  const { text, changedAt, changedBy, base } = draft.body;
  const read = await readDefinition(session, of.workspaceId, new FileContent('draft', text));
  return {
    revision: draft.version,
    changed_at: jsonTime(changedAt),
    changed_by: changedBy,
    from_version: base,
    errors: read.ok ? [] : read.errors,
    text,
    definition: looseJourney(text),
  };
}

const changedMeanwhile = (): OperationError =>
  new OperationError('Somebody else has changed the draft meanwhile.', 'Look at it again, and repeat your change.');

async function keep(session: Session, of: Journey, text: string, revision: number | undefined): Promise<number> {
  const { stores, clock, actor } = session;
  const now = clock.now();
  const known = await readDraft(session, of);
  if (revision !== undefined && revision !== (known?.version ?? 0)) throw changedMeanwhile();
  const body = { text, changedAt: now, changedBy: actor, base: known?.body.base ?? of.version };
  const entry = { kind: KIND, id: idOf(of), expiresAt: null, body } as const;
  const isKept = known
    ? await stores.records.change({ ...entry, version: known.version })
    : await stores.records.add({ ...entry, user: null, workspaceId: of.workspaceId }, now);
  if (!isKept) throw changedMeanwhile();
  return (known?.version ?? 0) + 1;
}

/** Forgets the draft if it still has this revision: what somebody kept since then stays. Throws OperationError. */
async function dropRevision(session: Session, of: Journey, revision: number): Promise<boolean> {
  const { stores, clock } = session;
  const now = clock.now();
  const known = await readDraft(session, of);
  if (known?.version !== revision) throw changedMeanwhile();
  const ended = { kind: KIND, id: idOf(of), expiresAt: now, body: known.body, version: revision } as const;
  if (!(await stores.records.change(ended))) throw changedMeanwhile();
  return true;
}

const revisionOption = option(
  '<number>',
  'only if the draft still has this revision; 0: only if there is none',
  whole(0, MOST),
);

/** `kurir journey draft`. */
export const draft = operation('journey.draft', 'editor', {
  summary: 'keep a file as the draft of the next version, also with faults; the journey stays as it is',
  arguments: { workspace, journey, file: journeyFile },
  options: { revision: revisionOption },
  examples: [
    [
      'journey draft "Toko Melati" Sambutan sambutan.yaml',
      'kurir journey show --json has it, journey edit makes it count',
    ],
  ],
  handler: async ({ journey: of, file, revision }, session) => {
    await session.note('journey draft', of.name, of.workspaceId);
    const kept = await keep(session, of, file.text, revision);
    const read = await readDefinition(session, of.workspaceId, file);
    return { id: of.id, name: of.name, revision: kept, errors: read.ok ? [] : read.errors, path: file.name };
  },
  json: ({ path: _path, ...said }) => said,
  text: ({ name, errors, path }) =>
    `The draft of ${printable(name)} is kept.\n${faultsText({ ok: false, path, errors })}`,
});

/** `kurir journey discard`. */
export const discard = operation('journey.discard', 'editor', {
  // A revision is named by whoever has just made a version of it: nothing is lost then.
  irreversible: ({ revision }) => revision === undefined,
  summary: 'forget the draft of the next version of a journey',
  arguments: { workspace, journey },
  options: { revision: option('<number>', 'only if the draft still has this revision', whole(1, MOST)) },
  examples: [['journey discard "Toko Melati" Sambutan', 'the journey stays as it is']],
  handler: async ({ journey: of, revision }, session) => {
    await session.note('journey discard', of.name, of.workspaceId);
    const discarded = await (revision === undefined ? dropDraft(session, of) : dropRevision(session, of, revision));
    return { id: of.id, name: of.name, discarded };
  },
  text: ({ name, discarded }) =>
    discarded ? `The draft of ${printable(name)} is forgotten.\n` : `${printable(name)} has no draft.\n`,
});
