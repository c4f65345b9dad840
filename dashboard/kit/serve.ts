import type { Context, Middleware } from 'koa';
import { noteOf } from '../../operations/definition/note';
import type { Services } from '../../operations/services';
import type { Input, Operation } from '../../operations/definition';
import { performFor, type Done, type Performer } from '../../operations/perform';
import { accessOfUser, type PeopleDeps, type User } from '../../operations/people/people';
import { endSession, findSession, type Session } from '../../operations/people/sessions';
import type { Access } from '../../domain/people/access';
import type { Workspace } from '../../domain/settings/workspace';
import { UnavailableError } from '../../lib/errors';
import { readUrl } from '../../lib/read-url';
import { languageOf, textsOf } from '../texts/texts';
import { AnonymousRoutes } from '../sign-in/anonymous-routes';
import type { AnonymousAnswer } from '../sign-in/sign-in';
import { Assets } from './assets';
import {
  BASE,
  dropBegun,
  dropSession,
  readCookies,
  setBegun,
  setBrowser,
  setLanguage,
  setNotice,
  setSession,
  takeNotice,
} from './cookies';
import { inputOf } from './forms';
import { csrfToken, isCsrfToken, isOwnOrigin, pagePolicy, secure } from './guard';
import { html, type Html } from './html';
import { layout } from './layout';
import { ownPath } from './own-path';
import { withQuery } from './components';
import { answered, Refused } from './perform';
import { asked, requireSure } from './question';
import { FormFault, readForm } from './read-form';
import type { Request } from './request';
import { Routes } from './routes';
import { fieldOf, type Answer, type FormFields, type Screen, type Visit } from './screen';

const WORKSPACE_PATH = /^\/app\/w\/([1-9]\d{0,14})(\/.*)?$/;
const NO_FIELDS: FormFields = new Map();

/** Somebody who is signed in, in one request. */
interface Caller {
  user: User;
  session: Session;
  access: Access;
}

/** Serves the dashboard below `/app` (docs/dashboard.md). */
export class Dashboard {
  private readonly assets = new Assets(`${BASE}/assets`);
  private readonly routes: Routes;
  private readonly people: PeopleDeps;
  private readonly anonymous: AnonymousRoutes;

  constructor(
    private readonly services: Services,
    screens: readonly Screen[],
  ) {
    this.routes = new Routes(screens);
    this.people = { records: services.engine.stores.records, clock: services.clock };
    this.anonymous = new AnonymousRoutes(services);
  }

  readonly serve: Middleware = async (ctx, next) => {
    if (ctx.path !== BASE && !ctx.path.startsWith(`${BASE}/`)) return void (await next());
    if (ctx.path.startsWith(`${BASE}/assets/`) && (await this.assets.answer(ctx))) return;
    const language = languageOf(readCookies(ctx).language, ctx.get('Accept-Language'));
    const request = { ctx, language, t: textsOf(language) };
    secure(ctx, pagePolicy(this.services.publicUrl()));
    try {
      await this.answer(request);
    } catch (error) {
      await this.answerError(request, error);
    }
  };

  private get isSecure(): boolean {
    return this.services.dashboardUrl().startsWith('https:');
  }

  private async answer(request: Request): Promise<void> {
    const { ctx, t } = request;
    const isPost = ctx.method === 'POST';
    if (!isPost && ctx.method !== 'GET' && ctx.method !== 'HEAD') return this.failed(request, 405, t.errorNotFound);
    if (isPost && !isOwnOrigin(ctx)) return this.failed(request, 403, t.errorCsrf);
    const caller = await this.callerOf(ctx);
    const form = isPost ? await readForm(ctx.req, caller !== null) : NO_FIELDS;
    const claimed = await this.anonymous.claim(request, caller?.user.id ?? null, form);
    if (claimed) return this.answerAnonymous(request, claimed);
    if (!caller) return this.serveGuest(request, form);
    if (isPost) {
      const token = ctx.get('X-CSRF-Token') || fieldOf(form, '_csrf');
      if (!isCsrfToken(this.services.keyring, caller.session.id, token)) return this.failed(request, 403, t.errorCsrf);
    }
    await this.serveCaller(request, caller, form);
  }

  /** Null: nobody is signed in. */
  private async callerOf(ctx: Context): Promise<Caller | null> {
    const token = readCookies(ctx).session;
    const found = token ? await findSession(this.people, token) : null;
    return found && { ...found, access: await accessOfUser(this.people, found.user) };
  }

  private async serveGuest(request: Request, form: FormFields): Promise<void> {
    if (request.ctx.path === `${BASE}/language` && request.ctx.method === 'POST') {
      return this.changeLanguage(request, form);
    }
    return this.answerAnonymous(request, await this.anonymous.answer(request, form));
  }

  private async answerAnonymous(request: Request, answer: AnonymousAnswer): Promise<void> {
    const { ctx } = request;
    if (answer.kind === 'page') return this.showPage(request, null, answer);
    if (answer.kind === 'begun') setBegun(ctx, answer.token, this.isSecure);
    if (answer.kind === 'signed in') {
      // A session of before must not go on under another name.
      await this.endCurrent(ctx);
      const { session, browser } = await this.anonymous.enter(request, answer);
      setSession(ctx, session, this.isSecure);
      setBrowser(ctx, browser, this.isSecure);
      if (readCookies(ctx).begun) dropBegun(ctx, this.isSecure);
    }
    ctx.status = 303;
    ctx.redirect(answer.to);
  }

  private async endCurrent(ctx: Context): Promise<void> {
    const caller = await this.callerOf(ctx);
    if (caller) await endSession(this.people, caller.user.id, caller.session.id);
  }

  private async serveCaller(request: Request, caller: Caller, form: FormFields): Promise<void> {
    const { ctx } = request;
    if (ctx.method === 'POST' && ctx.path === `${BASE}/sign-out`) {
      await this.endCurrent(ctx);
      dropSession(ctx, this.isSecure);
      const next = fieldOf(form, 'next');
      return ctx.redirect(next === '' ? `${BASE}/sign-in` : withQuery(`${BASE}/sign-in`, { next: ownPath(next) }));
    }
    if (ctx.method === 'POST' && ctx.path === `${BASE}/language`) return this.changeLanguage(request, form);
    if (ctx.path === `${BASE}/sign-in` || ctx.path.startsWith(`${BASE}/sign-in/`)) return ctx.redirect(BASE);
    const found = await this.find(request, caller);
    if (!found) return this.failed(request, 404, request.t.errorNotFound, caller);
    const { screen, params, workspace } = found;
    const visit = await this.visitOf(request, caller, { form, params, workspace });
    const answer = await asked(visit, screen, ctx.get('Referer'));
    await this.send(request, caller, workspace, answer);
  }

  /** The screen at the address; a workspace of others, and a screen that the role does not see, do not exist. */
  private async find({ ctx }: Request, { access }: Caller) {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const [, id, rest = ''] = WORKSPACE_PATH.exec(ctx.path) ?? [];
    if (id === undefined) {
      const found = this.routes.find(['installation', 'person'], method, ctx.path.slice(BASE.length));
      if (!found || (found.screen.of === 'installation' && !access.may(found.screen.role, null))) return null;
      return { ...found, workspace: null };
    }
    const workspaceId = Number(id);
    const found = this.routes.find(['workspace'], method, rest);
    if (!found || !access.sees(workspaceId) || !access.may(found.screen.role, workspaceId)) return null;
    const workspace = await this.services.engine.stores.workspaces.get(workspaceId);
    return workspace && { ...found, workspace };
  }

  private async visitOf(
    { ctx, language, t }: Request,
    { user, session, access }: Caller,
    { form, params, workspace }: Pick<Visit, 'form' | 'params' | 'workspace'>,
  ): Promise<Visit> {
    const { services } = this;
    const perform = <J extends object>(
      operation: Operation<never, J>,
      input: Input,
      progress?: Performer['progress'],
    ): Promise<Done<J>> => {
      const ask = (name: string): void => requireSure(form, name);
      const performer = { actor: user.id, access, language, ask, ...(progress && { progress }) };
      return performFor(services, performer, operation, input);
    };
    return {
      params,
      id: params['id'] ?? '',
      form,
      user,
      session,
      access,
      workspace,
      language,
      t,
      services,
      perform,
      query: Object.fromEntries(Object.entries(ctx.query).map(([name, value]) => [name, [value].flat().at(-1) ?? ''])),
      base: workspace ? `${BASE}/w/${workspace.id}` : BASE,
      csrf: this.csrfField(session),
      isPart: ctx.get('HX-Request') === 'true',
      note: (action, target) =>
        noteOf(services.engine.stores, services.clock, user.id)(action, target, workspace?.id ?? null),
      submit: (operation, more) => perform(operation, inputOf(operation, form, more)),
      read: async (operation, input) => answered(await perform(operation, input)),
    };
  }

  private csrfField({ id }: Session): Html {
    return html`<input type="hidden" name="_csrf" value="${csrfToken(this.services.keyring, id)}" />`;
  }

  private async send(request: Request, caller: Caller, workspace: Workspace | null, answer: Answer): Promise<void> {
    const { ctx } = request;
    if (answer.kind === 'redirect') {
      if (answer.notice !== undefined) setNotice(ctx, answer.notice, this.isSecure);
      if (answer.session !== undefined) setSession(ctx, answer.session, this.isSecure);
      ctx.status = 303;
      return ctx.redirect(answer.to);
    }
    if (answer.kind === 'file') {
      if (answer.policy !== undefined) secure(ctx, answer.policy);
      if (answer.name !== undefined) ctx.attachment(answer.name);
      ctx.type = answer.type;
      ctx.body = answer.body;
      return;
    }
    if (answer.kind === 'page') return this.showPage(request, { caller, workspace }, answer);
    ctx.status = answer.status ?? 200;
    ctx.type = 'html';
    ctx.body = answer.main.text;
  }

  private async showPage(
    { ctx, language, t }: Request,
    by: { caller: Caller; workspace: Workspace | null } | null,
    { title, main, status = 200, script }: Pick<Answer & { kind: 'page' }, 'title' | 'main' | 'status' | 'script'>,
  ): Promise<void> {
    const assets = await this.assets.paths();
    const notice = takeNotice(ctx, this.isSecure);
    const person = by && (await this.personOf(ctx, by.caller, by.workspace));
    ctx.status = status;
    ctx.type = 'html';
    ctx.body = layout({ title, main, language, t, assets, notice, person, script });
  }

  private async personOf(ctx: Context, { user, session, access }: Caller, workspace: Workspace | null) {
    const all = await this.services.engine.stores.workspaces.list();
    return {
      name: user.body.name ?? user.id,
      csrf: this.csrfField(session),
      csrfToken: csrfToken(this.services.keyring, session.id),
      path: ctx.path,
      workspace,
      workspaces: all.filter(({ id }) => access.sees(id)).slice(0, 20),
      mayInWorkspace: (role: Screen['role']) => workspace !== null && access.may(role, workspace.id),
      isOperator: access.may('operator', null),
      hasScreen: (of: Screen['of'], path: string) => this.routes.find([of], 'GET', path) !== null,
      hasSandbox: this.services.config.roles.includes('sandbox'),
      site: this.services.config.dashboardPort === 0 ? '' : this.services.publicUrl(),
    };
  }

  private changeLanguage({ ctx }: Request, form: FormFields): void {
    setLanguage(ctx, languageOf(fieldOf(form, 'language'), ''), this.isSecure);
    const from = readUrl(ctx.get('Referer'));
    ctx.status = 303;
    ctx.redirect(from?.host === ctx.host ? ownPath(from.pathname + from.search) : BASE);
  }

  private async failed(request: Request, status: number, message: string, caller: Caller | null = null): Promise<void> {
    const { t } = request;
    const main = html`<h1>${t.errorTitle}</h1>
      <p>${message}</p>
      <p><a href="${BASE}">${t.navOverview}</a></p>`;
    await this.showPage(request, caller && { caller, workspace: null }, { title: t.errorTitle, main, status });
  }

  private async answerError(request: Request, error: unknown): Promise<void> {
    const { t, ctx } = request;
    if (error instanceof FormFault) {
      return this.failed(request, error.status, error.status === 413 ? t.errorTooLarge : t.errorCsrf);
    }
    if (error instanceof Refused) {
      const { status, message } = error.fault;
      const said = status === 403 ? t.errorForbidden : status === 404 ? t.errorNotFound : message;
      return this.failed(request, status, said, await this.callerOf(ctx).catch(() => null));
    }
    const isBusy = error instanceof UnavailableError;
    if (!isBusy) this.services.logger.error({ err: error, path: ctx.path }, 'a screen of the dashboard failed');
    await this.failed(request, isBusy ? 503 : 500, isBusy ? t.errorBusy : t.errorServer);
  }
}
