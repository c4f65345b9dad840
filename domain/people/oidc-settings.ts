import type { WorkspaceRole } from './role';

/** What a value of the role claim gives: the installation, or a role in a workspace. */
export type OidcGrant = { value: string } & (
  { role: 'operator'; workspaceId: null } | { role: WorkspaceRole; workspaceId: number }
);

/** The OpenID provider at which people sign in (docs/dashboard.md#single-sign-on). */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
  /** The claim that gives roles; null: roles are given here only. */
  roleClaim: string | null;
  grants: readonly OidcGrant[];
  /** No other way to sign in. */
  only: boolean;
}
