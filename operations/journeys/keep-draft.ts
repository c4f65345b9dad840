import type { Journey } from '../../domain/journeys/journey';
import { record, type RecordEntry } from '../../domain/records/record';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { Trail } from '../trail';

/** What is kept for the next version of a journey. The id is that of the journey. */
export interface JourneyDraftBody {
  /** The file (docs/journeys.md#the-file), which may have faults. */
  text: string;
  changedAt: number;
  changedBy: string;
  /** The version of the journey that it began from. */
  base: number;
}
export const JOURNEY_DRAFTS = record<JourneyDraftBody, 'workspaceId'>('journey_draft');
type Draft = RecordEntry<JourneyDraftBody>;

/** What keeping a draft of the next version of a journey needs. */
export interface DraftDeps {
  stores: Pick<Stores, 'records'>;
  clock: Clock;
}

const idOf = ({ id }: Pick<Journey, 'id'>): string => String(id);

/** What is kept for the next version of a journey; null when nothing is. */
export const readDraft = ({ stores, clock }: DraftDeps, of: Pick<Journey, 'id'>): Promise<Draft | null> =>
  stores.records.get(JOURNEY_DRAFTS, idOf(of), clock.now());

/** Forgets what is kept. True if there was something. */
export const dropDraft = async ({ stores, clock }: DraftDeps, of: Pick<Journey, 'id'>): Promise<boolean> =>
  (await stores.records.take(JOURNEY_DRAFTS, idOf(of), clock.now())) !== null;

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
  const kept = await (known
    ? stores.records.replace(JOURNEY_DRAFTS, known, { body }, now)
    : stores.records.add(JOURNEY_DRAFTS, { id: idOf(of), workspaceId: of.workspaceId, body }, now));
  return kept?.version ?? null;
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
  const now = clock.now();
  const ended = await stores.records.replace(JOURNEY_DRAFTS, known, { body: known.body, expiresAt: now }, now);
  return ended ? true : null;
}
