import { Role } from '../crash/stage/role';
import type { ROLES } from './roles';

/** A helper process with the handlers of its role. */
export type Helper<N extends keyof typeof ROLES> = Role<ReturnType<(typeof ROLES)[N]>>;

/** Starts a helper process, which is this program once more; stop it in the end. */
export const startHelper = <N extends keyof typeof ROLES>(role: N): Helper<N> =>
  new Role({ program: __filename, role, output: 'inherit' });
