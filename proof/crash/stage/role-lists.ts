import { ROLES } from '../../../operations/config/roles';
import type { Installation } from '../installation';

/** The roles of one process: the value of KURIR_ROLES. */
export type RoleList = string;

/** All roles but the relay's and the sandbox's, split over as few processes as show each important role alone. */
export const ROLE_LISTS: readonly RoleList[] = [
  'api,public,dashboard',
  'throttle',
  'dispatch',
  'mta-feedback,coins,engagement,webhooks,conversions',
  'timers,campaigns,journeys',
];
/** All of them in one process. A group without a reader has a lag that never ends. */
export const ALL_ROLES: RoleList = ROLES.filter((role) => role !== 'smtp' && role !== 'sandbox').join();

/** Two processes with all roles, on the cluster engine. */
export const twoOfAll = (installation: Installation) => ({ installation, roleLists: [ALL_ROLES] });
