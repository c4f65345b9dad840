import { defaultRoles, type Role } from './roles';

interface RoleSettings {
  engine: 'embedded' | 'cluster';
  roles: readonly Role[];
  mtaUrl: string | null;
  publicUrl: string | null;
  sandboxReports: object | null;
}

/** Returns what the roles of a process need and its configuration lacks, one sentence each. */
export function checkRoles(config: RoleSettings): string[] {
  if (config.engine === 'embedded') return hasAll(config) ? [] : [ONE_PROCESS];
  const has = (role: Role): boolean => config.roles.includes(role);
  const faults: string[] = [];
  if (has('dispatch') && config.mtaUrl === null && !has('sandbox')) faults.push(NO_SENDING_SERVER);
  if (has('dispatch') && config.publicUrl === null && !has('public')) faults.push(NO_PUBLIC_URL);
  if (has('sandbox') && config.sandboxReports === null && !has('mta-feedback')) faults.push(NO_REPORT_TARGET);
  return faults;
}

const hasAll = ({ roles, mtaUrl }: RoleSettings): boolean => {
  const all = defaultRoles(mtaUrl);
  return roles.length === all.length && all.every((role) => roles.includes(role));
};

const ONE_PROCESS =
  'The embedded engine is a single process with all roles: leave out --roles (KURIR_ROLES), or set KURIR_ENGINE=cluster.';
const NO_SENDING_SERVER =
  'The role dispatch has no sending server: set KURIR_MTA_URL, or add the role sandbox to this process.';
const NO_PUBLIC_URL =
  'The role dispatch writes links into emails, but their pages are not in this process: set KURIR_PUBLIC_URL to the URL of the role public.';
const NO_REPORT_TARGET =
  'The role sandbox sends delivery reports, but their listener is not in this process: set KURIR_SANDBOX_REPORTS to host:port of the role mta-feedback.';
