import type { Attempt } from './attempts';
import { hashPassword, passwordFault } from './passwords';
import { changeUser } from './people';
import type { FactorDeps } from './second-factor';
import { endSessions } from './sessions';
import { confirmPassword } from './sign-in';
import { withdrawTickets } from './tickets';

/** How a change of the password ended. `old`: that of before is wrong; `fault`: what is wrong with the new one. */
export type PasswordChange = 'changed' | { old: true } | { wait: number } | { fault: string };

/** Changes the password of somebody who knows the one of before. Ends all sessions, and links to reset it. */
export async function changePassword(
  deps: FactorDeps,
  attempt: Attempt & { password: string },
  chosen: string,
): Promise<PasswordChange> {
  const { email } = attempt;
  const fault = passwordFault(chosen, { email });
  if (fault !== null) return { fault };
  const end = await confirmPassword(deps, attempt);
  if ('wait' in end) return end;
  if ('refused' in end) return { old: true };
  const before = end.user.body.password;
  const password = await hashPassword(chosen);
  // Somebody else may have changed it meanwhile: then the old one that was given is none any more.
  const changed = await changeUser(deps, email, (body) => (body.password === before ? { ...body, password } : null));
  if (!changed) return { old: true };
  await endSessions(deps, email);
  await withdrawTickets(deps, email, ({ purpose }) => purpose === 'reset');
  return 'changed';
}
