import { expect, test } from '@jest/globals';
import { ROLES } from '../../../../operations/config/roles';
import { ALL_ROLES, ROLE_LISTS } from '../../../../proof/crash/stage/role-lists';

// The lag of a group that no process reads never ends, and each wait for rest would take its full time.
test.each([
  ['of one process', [ALL_ROLES]],
  ['split over several', ROLE_LISTS],
])('the roles %s are all but those that need more than the servers', (_which, lists) => {
  const named = lists.flatMap((list) => list.split(','));
  expect(named.sort()).toEqual(ROLES.filter((role) => !['smtp', 'sandbox'].includes(role)).sort());
});
