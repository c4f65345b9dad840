import { RoleProcess } from './role';
import type { ROLES } from './roles';

/** A helper process with the handlers of its role. */
export type Helper<N extends keyof typeof ROLES> = RoleProcess<ReturnType<(typeof ROLES)[N]>>;

/** Starts a helper process; stop it in the end. */
export const startHelper = <N extends keyof typeof ROLES>(role: N): Helper<N> => new RoleProcess(role);
