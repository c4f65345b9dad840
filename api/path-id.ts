import type { Workspace } from '../domain/settings/workspace';
import { readIntegerId } from '../schemas/rules/ids';
import { ApiError } from './errors';

/** The integer id in a path; ApiError 404 when it is malformed (docs/contract.md#error-statuses). */
export function pathId(params: Readonly<Record<string, string>>, name = 'id'): number {
  const id = readIntegerId(params[name] ?? '');
  if (id === null) throw new ApiError('not_found');
  return id;
}

/** Returns the value; ApiError 404 when it is missing (docs/contract.md#error-statuses). */
export function found<T>(value: T | null): T {
  if (value === null) throw new ApiError('not_found');
  return value;
}

/** Returns the record; ApiError 404 when it is missing or belongs to another workspace. */
export const owned = <T extends { workspaceId: number }>(record: T | null, { id }: Pick<Workspace, 'id'>): T =>
  found(record?.workspaceId === id ? record : null);
