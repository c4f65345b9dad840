import type { Journey } from '../../domain/journeys/journey';
import type { RecordEntry } from '../../domain/people/records';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { Trail } from '../trail';

const KIND = 'journey_draft';
type Draft = RecordEntry<typeof KIND>;

/** What keeping a draft of the next version of a journey needs. */
export interface DraftDeps {
  stores: Pick<Stores, 'records'>;
  clock: Clock;
}

const idOf = ({ id }: Pick<Journey, 'id'>): string => String(id);

/** What is kept for the next version of a journey; null when nothing is. */
export const readDraft = ({ stores, clock }: DraftDeps, of: Pick<Journey, 'id'>): Promise<Draft | null> =>
  stores.records.get(KIND, idOf(of), clock.now());

/** Forgets what is kept. True if there was something. */
export const dropDraft = async ({ stores, clock }: DraftDeps, of: Pick<Journey, 'id'>): Promise<boolean> =>
  (await stores.records.take(KIND, idOf(of), clock.now())) !== null;

/**
 * Keeps a text as the draft, only if it still has `revision` (0: only if there is none; undefined: whatever there is).
 * Returns its revision; null when somebody else has changed it meanwhile.
 */
export async function keepDraft(
  deps: DraftDeps & Trail,
  of: Journey,
  { text, revision, by }: { text: string; revision: number | undefined; by: string },
): Promise<number | null> {
  const { stores, clock, note } = deps;
  await note?.('journey draft', of.name, of.workspaceId);
  const now = clock.now();
  const known = await readDraft(deps, of);
  if (revision !== undefined && revision !== (known?.version ?? 0)) return null;
  const body = { text, changedAt: now, changedBy: by, base: known?.body.base ?? of.version };
  const entry = { kind: KIND, id: idOf(of), expiresAt: null, body } as const;
  const isKept = known
    ? await stores.records.change({ ...entry, version: known.version })
    : await stores.records.add({ ...entry, user: null, workspaceId: of.workspaceId }, now);
  return isKept ? (known?.version ?? 0) + 1 : null;
}

/**
 * Forgets the draft, with a revision only that one: what somebody kept since then stays, and null is returned.
 * Otherwise true if there was something.
 */
export async function discardDraft(
  deps: DraftDeps & Trail,
  of: Journey,
  revision: number | undefined,
): Promise<boolean | null> {
  const { stores, clock, note } = deps;
  await note?.('journey discard', of.name, of.workspaceId);
  if (revision === undefined) return dropDraft(deps, of);
  const known = await readDraft(deps, of);
  if (known?.version !== revision) return null;
  const ended = { kind: KIND, id: idOf(of), expiresAt: clock.now(), body: known.body, version: revision } as const;
  return (await stores.records.change(ended)) || null;
}
