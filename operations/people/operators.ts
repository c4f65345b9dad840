import type { UserBody } from '../../domain/people/user';
import { changeUser, USERS, type PeopleDeps, type User } from './people';

const runs = ({ operator, disabledAt }: UserBody): boolean => operator && disabledAt === null;

/**
 * Changes a user, but leaves an installation that somebody runs with an operator. `last`: it was the last one, and is
 * as before. Null if there is no such user.
 */
export async function changeKeepingOperator(
  deps: PeopleDeps,
  email: string,
  decide: (body: UserBody) => UserBody,
): Promise<User | 'last' | null> {
  const held: UserBody[] = [];
  const changed = await changeUser(deps, email, (body) => {
    held[0] = body;
    return decide(body);
  });
  const [before] = held;
  if (!changed || !before || !runs(before) || runs(changed.body)) return changed;
  // Counted afterwards: two operators who take it from each other at once must not both succeed.
  if ((await deps.records.list(USERS, {}, deps.clock.now())).some(({ body }) => runs(body))) return changed;
  const { operator, disabledAt } = before;
  await changeUser(deps, email, (body) => ({ ...body, operator, disabledAt }));
  return 'last';
}
