import { MINUTE } from '../../lib/clock';
import { accessOf, type Access } from '../../domain/people/access';
import { record, type RecordEntry } from '../../domain/records/record';
import type { Keyring } from '../../domain/keyring';
import { WORKSPACE_ROLES, type Role, type WorkspaceRole } from '../../domain/people/role';
import type { PeopleDeps } from './people';
import { newToken } from './tokens';

/** What the text of a key begins with, so that it is recognised where it does not belong. */
const PREFIX = 'kurir_ak_';
/** A use is written down only this long after the one before, ms. */
const NOTED_EVERY = 5 * MINUTE;
/** Digits of the hash that name a key to people. */
const SHORT = 12;

/**
 * A key of the management API, of the installation or of its workspace. The id is the keyed hash of its text.
 */
export interface AdminKeyBody {
  name: string;
  role: Role;
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
}
export const ADMIN_KEYS = record<AdminKeyBody, 'workspaceId'>('admin_key');
export type AdminKey = RecordEntry<AdminKeyBody>;

/** The id of a key as people see it. */
export const shortId = ({ id }: AdminKey): string => id.slice(0, SHORT);

/** What a new key is. */
export interface NewAdminKey {
  name: string;
  role: Role;
  /** Null: a key of the installation. */
  workspaceId: number | null;
  /** ms; null: never. */
  expiresAt: number | null;
  createdBy: string;
}

/** Makes a key of the management API. Its text is not kept. */
export async function createAdminKey(
  { records, clock, keyring }: PeopleDeps & { keyring: Keyring },
  { name, role, workspaceId, expiresAt, createdBy }: NewAdminKey,
): Promise<{ key: AdminKey; text: string }> {
  const text = `${PREFIX}${newToken()}`;
  const now = clock.now();
  const body = { name, role, createdAt: now, createdBy, lastUsedAt: null };
  const id = keyring.hashCredential(text);
  const key = await records.add(ADMIN_KEYS, { id, workspaceId, expiresAt, body }, now);
  if (!key) throw new Error('a new key has the hash of another');
  return { key, text };
}

/** The keys of a workspace; with null those of the installation, with undefined all. Oldest first. */
export async function listAdminKeys(
  { records, clock }: PeopleDeps,
  workspaceId: number | null | undefined,
): Promise<AdminKey[]> {
  const keys = await records.list(ADMIN_KEYS, workspaceId === undefined ? {} : { workspaceId }, clock.now());
  return keys.sort((a, b) => a.body.createdAt - b.body.createdAt);
}

/** Revokes a key: it is refused at once. */
export const revokeAdminKey = ({ records, clock }: PeopleDeps, { id }: AdminKey): Promise<unknown> =>
  records.take(ADMIN_KEYS, id, clock.now());

/** The key of a text, and what it may see and do; null when there is none, or none any more. */
export async function findAdminKey(
  { records, clock, keyring }: PeopleDeps & { keyring: Keyring },
  text: string,
): Promise<{ key: AdminKey; access: Access } | null> {
  if (!text.startsWith(PREFIX)) return null;
  const now = clock.now();
  const key = await records.get(ADMIN_KEYS, keyring.hashCredential(text), now);
  if (!key) return null;
  if (now - (key.body.lastUsedAt ?? 0) >= NOTED_EVERY) {
    // Whoever is first of several requests at once writes it down.
    await records.replace(ADMIN_KEYS, key, { body: { ...key.body, lastUsedAt: now } }, now);
  }
  return { key, access: accessOfKey(key) };
}

/** A key of the installation reaches all workspaces with its role; one of a workspace reaches nothing else. */
function accessOfKey({ workspaceId, body: { role } }: AdminKey): Access {
  if (workspaceId === null) return accessOf({ everywhere: role, workspaces: new Map() });
  const held = isWorkspaceRole(role) ? [[workspaceId, role] as const] : [];
  return accessOf({ everywhere: null, workspaces: new Map(held) });
}

const isWorkspaceRole = (role: Role): role is WorkspaceRole => (WORKSPACE_ROLES as readonly Role[]).includes(role);
