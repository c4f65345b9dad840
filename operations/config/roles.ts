/**
 * What a process can do (docs/cluster.md#roles), in the order of the flow. Any number of processes may run any of them.
 */
export const ROLES = [
  'api',
  'smtp',
  'public',
  'dashboard',
  'throttle',
  'dispatch',
  'coins',
  'mta-feedback',
  'engagement',
  'webhooks',
  'conversions',
  'campaigns',
  'journeys',
  'timers',
  'sandbox',
] as const;
export type Role = (typeof ROLES)[number];

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/**
 * Parses comma-separated roles and returns them in the order of ROLES, or one sentence about everything wrong with
 * them.
 */
export function parseRoles(text: string): { roles: Role[] } | { fault: string } {
  const names = [...new Set(text.split(',').map((name) => name.trim().toLowerCase()))].filter(Boolean);
  const unknown = names.filter((name) => !isRole(name));
  const faults = [
    ...(names.length === 0 ? ['names no role'] : []),
    ...(unknown.length > 0 ? [`names ${unknown.map((name) => `"${name}"`).join(', ')}, which is not a role`] : []),
  ];
  if (faults.length > 0) return { fault: `${faults.join(' and ')}; roles are ${ROLES.join(', ')}` };
  return { roles: ROLES.filter((role) => names.includes(role)) };
}

/** The roles of a process that names none: all of them, and the sandbox if there is no other sending server. */
export const defaultRoles = (mtaUrl: string | null): Role[] =>
  ROLES.filter((role) => role !== 'sandbox' || mtaUrl === null);
