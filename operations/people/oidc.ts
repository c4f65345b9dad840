import type { Configuration } from 'openid-client';
import type { OidcSettings } from '../../domain/people/oidc-settings';
import { isEmailAddress, canonicalAddress } from '../../schemas/rules/email-address';
import { beginChallenge, takeChallenge } from './challenges';
import { admit, type Vouched } from './oidc-people';
import type { NoteOfAccount } from './fresh-start';
import type { PeopleDeps, User } from './people';

/** Loaded when somebody signs in this way. */
const library = () => import('openid-client');

/**
 * How a sign-in ended; `refused` is for log and trail: what a provider sends is not shown to whoever signs in. `none`:
 * nothing had begun.
 */
export type OidcSignIn =
  { user: User; to: string } | { refused: string; why: 'none' | 'failed' | 'unverified' | 'unknown' };

/** The OpenID provider: authorization code flow with PKCE, state and nonce. */
export class OidcProvider {
  private configuration: Promise<Configuration> | null = null;

  constructor(
    private readonly settings: OidcSettings,
    /** Where the provider sends people back to. */
    private readonly callback: () => string,
  ) {}

  /** What the provider says of itself; asked for again after a failure. */
  private discovered(): Promise<Configuration> {
    this.configuration ??= this.discover().catch((error: unknown) => {
      this.configuration = null;
      throw error;
    });
    return this.configuration;
  }

  private async discover(): Promise<Configuration> {
    const client = await library();
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    const proof = clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret);
    const execute = [
      // Not only what came over TLS, but what is signed by the provider.
      client.enableNonRepudiationChecks,
      ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ];
    return client.discovery(url, clientId, undefined, proof, { execute, timeout: 10 });
  }

  /** Begins a sign-in that leads to `to`: where to send the browser, and the token that only it keeps. */
  async begin(deps: PeopleDeps, to: string): Promise<{ url: string; token: string }> {
    const configuration = await this.discovered();
    const client = await library();
    const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callback(),
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const token = await beginChallenge(deps, 'oidc', null, { verifier, state, nonce, to });
    return { url: url.href, token };
  }

  /**
   * Ends a sign-in with what the browser brought back from the provider, once. `note` gets what it ends of the account.
   */
  async finish(deps: PeopleDeps, token: string, query: string, note: NoteOfAccount): Promise<OidcSignIn> {
    const begun = await takeChallenge(deps, 'oidc', token);
    if (!begun) return { refused: 'no sign-in was started in this browser', why: 'none' };
    const { to = '' } = begun.body.data;
    const claims = await this.claims(begun.body.data, query).catch(reasonOf);
    if (typeof claims === 'string') return { refused: claims, why: 'failed' };
    const { email, email_verified: isVerified } = claims;
    if (typeof email !== 'string' || !isEmailAddress(email) || isVerified !== true) {
      return { refused: 'the provider confirmed no email address', why: 'unverified' };
    }
    const vouched = { ...claims, email: canonicalAddress(email) } as Vouched;
    const user = await admit(deps, this.settings, vouched, note);
    return user ? { user, to } : { refused: `there is no user ${vouched.email}`, why: 'unknown' };
  }

  private async claims(data: Readonly<Record<string, string>>, query: string) {
    const configuration = await this.discovered();
    const client = await library();
    const url = new URL(this.callback());
    url.search = query;
    const { verifier = '', state = '', nonce = '' } = data;
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const claims = (await client.authorizationCodeGrant(configuration, url, checks)).claims();
    if (!claims) throw new Error('the provider sent no ID token');
    return claims;
  }
}

/** What a failure says, with what caused it: the library names the claim only there. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : String(error);
