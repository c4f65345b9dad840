import { wallTime } from '../../lib/advancing-clock';
import { noteOf } from '../../operations/definition/note';
import type { Services } from '../../operations/services';
import { relyingPartyOf, type PasskeyDeps } from '../../operations/people/passkeys';
import { rememberNetwork } from '../../operations/people/attempts';
import { withBrowser } from '../../operations/people/known-browsers';
import { OidcProvider } from '../../operations/people/oidc';
import { beginSession } from '../../operations/people/sessions';
import { clientAddress, clientNetwork } from '../../lib/client-network';
import { BASE, readCookies } from '../kit/cookies';
import type { Request } from '../kit/request';
import type { FormFields } from '../kit/screen';
import type { AnonymousVisit } from './anonymous-visit';
import { beginSingleSignOn, endSingleSignOn } from './single-sign-on';
import {
  showClaim,
  showSecond,
  showSignIn,
  submitClaim,
  submitPasskey,
  submitSecond,
  submitSignIn,
  type AnonymousAnswer,
} from './sign-in';
import { waitText } from './wait-text';

const CLAIM_PATH = /^\/app\/claim\/([A-Za-z0-9]{10,100})$/;

/** The pages of those who are not signed in, and the links that work once. */
export class AnonymousRoutes {
  private readonly deps: PasskeyDeps;

  private readonly provider: OidcProvider | null;

  constructor(private readonly services: Services) {
    const { engine, clock, keyring, logger } = services;
    const { oidc } = services.config;
    this.provider = oidc && new OidcProvider(oidc, () => `${services.dashboardUrl()}${BASE}/sign-in/oidc/callback`);
    this.deps = { records: engine.stores.records, clock, keyring, logger };
  }

  private visitOf({ ctx, t }: Request, signedIn: string | null = null): AnonymousVisit {
    const { engine, clock, config } = this.services;
    return {
      t,
      signedIn,
      deps: this.deps,
      realTime: wallTime(),
      begun: readCookies(ctx).begun,
      browser: readCookies(ctx).browser,
      oidc: config.oidc?.only === true ? 'only' : config.oidc !== null,
      rp: relyingPartyOf(this.services.dashboardUrl()),
      address: clientAddress(ctx.req, config.trustedHops),
      note: (action, target, workspaceId, actor) => noteOf(engine.stores, clock, actor)(action, target, workspaceId),
    };
  }

  /** What the link at the address answers, to whoever is signed in or to nobody; null: it is no such link. */
  async claim(request: Request, signedIn: string | null, form: FormFields): Promise<AnonymousAnswer | null> {
    const token = CLAIM_PATH.exec(request.ctx.path)?.[1];
    if (token === undefined) return null;
    const visit = this.visitOf(request, signedIn);
    // Whoever is invited signs in at the provider, which knows the address.
    if (visit.oidc === 'only') return signedIn === null ? showSignIn(visit, '') : null;
    return request.ctx.method === 'POST' ? submitClaim(visit, token, form) : showClaim(visit, token);
  }

  /** What somebody who is not signed in gets: every other address asks for the sign-in. */
  async answer(request: Request, form: FormFields): Promise<AnonymousAnswer> {
    const { ctx } = request;
    const visit = this.visitOf(request);
    const isPost = ctx.method === 'POST';
    const log = (refused: string) => this.services.logger.warn({ refused }, 'a single sign-on was refused');
    const query = (name: string) => String(ctx.query[name] ?? '');
    if (this.provider && ctx.path === `${BASE}/sign-in/oidc`) {
      const wait = await this.waitOf(visit);
      if (wait > 0) return { ...showSignIn(visit, query('next'), waitText(visit.t, wait)), status: 429 };
      return beginSingleSignOn(visit, this.provider, query('next'), log);
    }
    if (this.provider && ctx.path === `${BASE}/sign-in/oidc/callback`) {
      return endSingleSignOn(visit, this.provider, ctx.search, log);
    }
    if (visit.oidc === 'only' && isPost) return { ...showSignIn(visit, '', visit.t.oidcOnly), status: 422 };
    if (ctx.path === `${BASE}/sign-in/second`) return isPost ? submitSecond(visit, form) : showSecond(visit);
    if (isPost && ctx.path === `${BASE}/sign-in`) return submitSignIn(visit, form);
    if (isPost && ctx.path === `${BASE}/sign-in/passkey`) return submitPasskey(visit, form);
    const next = ctx.path === `${BASE}/sign-in` ? query('next') : ctx.path + ctx.search;
    return showSignIn(visit, next);
  }

  /**
   * Counts a request without a key that stores something, as the API counts those. Returns ms to wait; 0: it may be
   * made.
   */
  private async waitOf({ address }: AnonymousVisit): Promise<number> {
    const { rateLimiter, clock } = this.services;
    const rate = await rateLimiter.take(`ip:${clientNetwork(address)}`);
    return rate.exceeded ? Math.max(1, rate.resetAt - clock.now()) : 0;
  }

  /**
   * Begins the session of somebody who has signed in. Returns its token, and what the browser is known by from now on:
   * its wrong passwords count on their own.
   */
  async enter(
    request: Request,
    answer: AnonymousAnswer & { kind: 'signed in' },
  ): Promise<{ session: string; browser: string }> {
    const { address, note, browser } = this.visitOf(request);
    const { by, email, epoch } = answer;
    const token = await beginSession(this.deps, email, { by, address, agent: request.ctx.get('User-Agent'), epoch });
    const how = answer.with === undefined ? by : `${by} and ${answer.with}`;
    await note('dashboard sign-in', `by ${how} from ${address}`, null, email);
    await rememberNetwork(this.deps, { email, address }, epoch);
    return { session: token, browser: withBrowser(this.deps, { email, epoch }, browser) };
  }
}
