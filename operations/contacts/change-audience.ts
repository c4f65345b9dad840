import { PUBLIC_TOKEN_LENGTH, type Audience } from '../../domain/contacts/audience';
import { resumeForm } from '../../domain/contacts/form-auto-pause';
import type { Clock } from '../../lib/clock';
import { defined } from '../../lib/defined';
import { randomText } from '../../lib/random-text';
import type { Stores } from '../../stores/ports';
import type { AudienceStore, JoinOutcome, NewAudience, NewMember } from '../../stores/ports/audience-store';
import type { Trail } from '../trail';

interface AudienceDeps extends Trail {
  stores: Pick<Stores, 'audiences'>;
  clock: Clock;
}

/** Creates an empty audience (docs/contract.md#create-an-audience). */
export async function createAudience(
  { stores, clock, note }: AudienceDeps,
  audience: Omit<NewAudience, 'publicToken' | 'createdAt'>,
): Promise<Audience> {
  await note?.('audience create', `${audience.name}, ${audience.optInMode} opt-in`, audience.workspaceId);
  const publicToken = randomText(PUBLIC_TOKEN_LENGTH);
  return stores.audiences.create({ ...audience, publicToken, createdAt: clock.now() });
}

/** What may be changed of an audience; what is left out stays. */
export interface AudienceChanges {
  optIn?: Audience['optInMode'] | undefined;
  redirectHosts?: string[] | undefined;
  /** Confirmation mails go out again after bounces have paused them. */
  resumeForm: boolean;
}

/** Changes how contacts join an audience; its members stay what they are. Null if it is gone. */
export async function changeAudience(
  { stores, clock, note }: AudienceDeps,
  { id, workspaceId }: Audience,
  { optIn, redirectHosts, resumeForm: resumes }: AudienceChanges,
): Promise<Audience | null> {
  const now = clock.now();
  const what = [
    ...(optIn ? [`${optIn} opt-in`] : []),
    ...(redirectHosts ? [`redirect domains ${redirectHosts.join(', ') || 'none'}`] : []),
    ...(resumes ? ['form resumed'] : []),
  ];
  await note?.('audience set', `audience ${id}: ${what.join('; ')}`, workspaceId);
  const change = defined({ optInMode: optIn, redirectHosts, formBrake: resumes ? resumeForm(now) : undefined });
  return stores.audiences.change(workspaceId, id, change, now);
}

type AudienceRef = Pick<Audience, 'workspaceId' | 'id'>;

/**
 * Adds a contact to an audience at `at` (ms); with double opt-in it is asked to confirm
 * (docs/contract.md#members-of-an-audience).
 */
export const addMember = (
  audiences: Pick<AudienceStore, 'join'>,
  { workspaceId, id }: AudienceRef,
  member: NewMember,
  at: number,
): Promise<JoinOutcome> => audiences.join(workspaceId, id, member, at);

/** Takes a contact out of an audience at `at` (ms); it stays a contact. False if it is no member. */
export const removeMember = (
  audiences: Pick<AudienceStore, 'leave'>,
  { workspaceId, id }: AudienceRef,
  contactId: number,
  at: number,
): Promise<boolean> => audiences.leave(workspaceId, id, contactId, at);
