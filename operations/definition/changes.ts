import { UsageError } from './errors';
import { why } from './reasons';

/** Refuses a change in which nothing is given. Throws UsageError; `fix` names the options. */
export function requireChange(options: object, fix: string, label: string | null = null): void {
  if (Object.values(options).some((value) => value !== undefined)) return;
  throw new UsageError(why('nothing'), fix, label);
}
