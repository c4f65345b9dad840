import {
  JOURNEY_SECRET_LENGTH,
  journeySecretContext,
  type Journey,
  type JourneyDefinition,
} from '../../domain/journeys/journey';
import type { Keyring } from '../../domain/keyring';
import type { Clock } from '../../lib/clock';
import { randomText } from '../../lib/random-text';
import type { Stores } from '../../stores/ports';
import type { JourneyDeletion } from '../../stores/ports/journey-store';
import type { Trail } from '../trail';
import { dropDraft, type DraftDeps } from './keep-draft';

interface JourneyDeps extends Trail {
  stores: Pick<Stores, 'journeys'>;
  clock: Clock;
}
type SecretDeps = Omit<JourneyDeps, 'clock'> & { keyring: () => Promise<Keyring> };

async function newSecret({ keyring }: SecretDeps, workspaceId: number): Promise<[secret: string, sealed: string]> {
  const secret = randomText(JOURNEY_SECRET_LENGTH);
  return [secret, (await keyring()).seal(secret, journeySecretContext(workspaceId))];
}

/** Creates a draft with the secret that signs its webhook steps, which is shown this once. */
export async function createJourney(
  deps: JourneyDeps & SecretDeps,
  workspaceId: number,
  definition: JourneyDefinition,
): Promise<{ journey: Journey; secret: string }> {
  const { stores, clock, note } = deps;
  const [secret, secretSealed] = await newSecret(deps, workspaceId);
  await note?.('journey create', definition.name, workspaceId);
  const made = { ...definition, workspaceId, status: 'draft', secretSealed, createdAt: clock.now() } as const;
  return { journey: await stores.journeys.create(made), secret };
}

/** Gives a journey a new version; contacts in it finish on the one they began. Null if it is gone. */
export async function editJourney(
  { stores, clock, note }: JourneyDeps,
  { id, workspaceId, name }: Journey,
  definition: JourneyDefinition,
): Promise<Journey | null> {
  await note?.('journey edit', name, workspaceId);
  return stores.journeys.edit(workspaceId, id, definition, clock.now());
}

/** Replaces the secret at once, and returns it. Null if the journey is gone. */
export async function rotateJourneySecret(
  deps: SecretDeps,
  { id, workspaceId, name }: Journey,
): Promise<string | null> {
  const [secret, sealed] = await newSecret(deps, workspaceId);
  await deps.note?.('journey rotate-secret', name, workspaceId);
  return (await deps.stores.journeys.replaceSecret(workspaceId, id, sealed)) ? secret : null;
}

/**
 * Begins a journey or lets it go on, also if it runs already; what came due meanwhile runs now
 * (docs/contract.md#taking-steps). Null if it is gone.
 */
export async function activateJourney({ stores, clock, note }: JourneyDeps, of: Journey): Promise<Journey | null> {
  await note?.('journey activate', of.name, of.workspaceId);
  return stores.journeys.setStatus(of.workspaceId, of.id, 'active', clock.now());
}

/** Stops a journey; contacts keep their places. `draft`: it does not run yet. Null if it is gone. */
export async function pauseJourney(
  { stores, clock, note }: JourneyDeps,
  of: Journey,
): Promise<Journey | 'draft' | null> {
  if (of.status === 'draft') return 'draft';
  await note?.('journey pause', of.name, of.workspaceId);
  return stores.journeys.setStatus(of.workspaceId, of.id, 'paused', clock.now());
}

/** Deletes a draft that no contact entered, with what is kept for its next version. */
export async function deleteJourney(
  deps: JourneyDeps & DraftDeps,
  { id, workspaceId, name }: Journey,
): Promise<JourneyDeletion> {
  await deps.note?.('journey delete', name, workspaceId);
  const outcome = await deps.stores.journeys.delete(workspaceId, id);
  if (outcome === 'deleted') await dropDraft(deps, { id });
  return outcome;
}
