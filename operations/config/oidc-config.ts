import type { OidcGrant, OidcSettings } from '../../domain/people/oidc-settings';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../domain/people/role';
import type { VariableName } from './config-variables';
import type { EnvReader } from './env-reader';
import { isLoopbackName } from './loopback-name';
import { readUrl } from '../../lib/read-url';

type Reader = EnvReader<VariableName>;

const GRANT = /^([^=]+)=(?:operator|([a-z]+)@([1-9]\d{0,14}))$/;
const isRole = (text: string): text is WorkspaceRole => (WORKSPACE_ROLES as readonly string[]).includes(text);

/** `admins=operator,shop=editor@3` */
function readGrants(read: Reader): OidcGrant[] {
  const items = read
    .text('KURIR_OIDC_ROLES')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  const grants = items.flatMap((item): OidcGrant[] => {
    const [whole, value = '', role, id] = GRANT.exec(item) ?? [];
    if (whole === undefined) return [];
    if (role === undefined) return [{ value: value.trim(), role: 'operator', workspaceId: null }];
    return isRole(role) ? [{ value: value.trim(), role, workspaceId: Number(id) }] : [];
  });
  if (grants.length < items.length) {
    read.fault('KURIR_OIDC_ROLES', 'must be a list of value=operator and value=role@workspace, such as shop=editor@3');
  }
  return grants;
}

/** The provider at which people sign in; null for none. */
export function readOidc(read: Reader): OidcSettings | null {
  // To the letter: a provider whose name ends in a slash is another one without it.
  const issuer = read.url('KURIR_OIDC_ISSUER', ['https:', 'http:']) && read.text('KURIR_OIDC_ISSUER');
  const only = read.oneOf('KURIR_OIDC_ONLY', ['false', 'true']) === 'true';
  const grants = readGrants(read);
  const clientId = read.text('KURIR_OIDC_CLIENT_ID');
  const roleClaim = read.text('KURIR_OIDC_ROLE_CLAIM') || null;
  if (issuer === null) {
    if (only) read.fault('KURIR_OIDC_ONLY', 'needs KURIR_OIDC_ISSUER');
    return null;
  }
  const url = readUrl(issuer);
  if (url?.protocol === 'http:' && !isLoopbackName(url.hostname)) {
    read.fault('KURIR_OIDC_ISSUER', 'must be https://, because it identifies users');
  }
  if (!clientId) read.fault('KURIR_OIDC_CLIENT_ID', 'must be set together with KURIR_OIDC_ISSUER');
  if ((roleClaim === null) !== (grants.length === 0)) {
    read.fault('KURIR_OIDC_ROLES', 'must be set together with KURIR_OIDC_ROLE_CLAIM');
  }
  return { issuer, clientId, clientSecret: read.text('KURIR_OIDC_CLIENT_SECRET') || null, roleClaim, grants, only };
}
