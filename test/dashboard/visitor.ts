import { afterAll, beforeAll } from '@jest/globals';
import { beginSession } from '../../operations/people/sessions';
import { hashPassword } from '../../operations/people/passwords';
import { USERS, changeUser, NEW_USER, setMembership } from '../../operations/people/people';
import type { FactorDeps } from '../../operations/people/second-factor';
import type { WorkspaceRole } from '../../domain/people/role';
import type { Installation } from '../../proof/crash/installation';
import { openHttpApps } from '../../app/program/http-apps';
import { Running, temporaryInstallation } from '../support/running';

export const PASSWORD = 'kucing biru di atas atap';

export interface Shown {
  status: number;
  html: string;
  location: string | null;
  headers: Headers;
}

/** Somebody with a browser: keeps cookies, sends forms with their token, follows no redirect. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  constructor(readonly origin: string) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.request('GET', path, headers);
  }

  /**
   * Sends a form as the page would, after a dialog that was answered with yes: with the token of the session, from our
   * own origin.
   */
  post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Shown> {
    return this.press(path, { _sure: 'yes', ...fields }, headers);
  }

  /** Sends a form as a browser without script does: no dialog has asked. */
  async press(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Shown> {
    const body = new URLSearchParams({ ...((await this.token()) && { _csrf: await this.token() }), ...fields });
    return this.request('POST', path, { origin: this.origin, ...headers }, body.toString());
  }

  /** Sends a form with files, as the page would. */
  async upload(path: string, fields: Record<string, string>, files: Record<string, File> = {}): Promise<Shown> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ _csrf: await this.token(), ...fields })) body.set(name, value);
    for (const [name, file] of Object.entries(files)) body.set(name, file);
    return this.request('POST', path, { origin: this.origin }, body);
  }

  /** The token in the forms of the pages; empty before sign-in. */
  async token(): Promise<string> {
    if (!this.cookies.has('kurir_session')) return '';
    const { html } = await this.get('/app/no-such-page');
    return /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  }

  private async request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | FormData,
  ): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(typeof body === 'string' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { status } = response;
    return {
      status,
      html: await response.text(),
      location: response.headers.get('location'),
      headers: response.headers,
    };
  }
}

/** The whole program with its interfaces, in this process. */
export class Dashboarded {
  private running: Running | null = null;

  get service(): Running {
    if (!this.running) throw new Error('the service does not run');
    return this.running;
  }

  get origin(): string {
    return this.service.kurir.baseUrl.replace(/\/v1$/, '');
  }

  get people(): FactorDeps {
    const { engine, clock, keyring } = this.service.kurir.services;
    return { records: engine.stores.records, clock, keyring };
  }

  async start(env: Record<string, string> = {}, installation: Installation = temporaryInstallation()): Promise<void> {
    this.running = await Running.startOn(installation, env, undefined, { httpApps: openHttpApps });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /** Somebody who is signed in and vouched for: an operator, or with roles in workspaces, by their ids. */
  async person(
    email: string,
    roles: 'operator' | Readonly<Record<number, WorkspaceRole>>,
    { isVouched = true } = {},
  ): Promise<Visitor> {
    const { people } = this;
    const now = people.clock.now();
    const trust = { by: 'operator', at: now } as const;
    const body = { ...NEW_USER, operator: roles === 'operator', createdAt: now, ...(isVouched && { trust }) };
    await people.records.add(USERS, { id: email, user: email, body }, now);
    for (const [id, role] of roles === 'operator' ? [] : Object.entries(roles)) {
      await setMembership(people, { user: email, workspaceId: Number(id), role });
    }
    return this.session(email);
  }

  /** The same with a password: what the forms of the own account ask for. */
  async personWithPassword(...[email, roles]: Parameters<Dashboarded['person']>): Promise<Visitor> {
    const visitor = await this.person(email, roles);
    const password = await hashPassword(PASSWORD);
    await changeUser(this.people, email, (body) => ({ ...body, password }));
    return visitor;
  }

  /** A browser with a session of its own. */
  async session(email: string): Promise<Visitor> {
    const { people } = this;
    const visitor = new Visitor(this.origin);
    const token = await beginSession(people, email, { by: 'password', address: '127.0.0.1', agent: 'test' });
    visitor.cookies.set('kurir_session', token);
    return visitor;
  }
}

/** The program with its interfaces for one suite. Its demo workspace has the id 1. */
export function dashboarded(env: Record<string, string> = {}): Dashboarded {
  const subject = new Dashboarded();
  beforeAll(() => subject.start(env));
  afterAll(() => subject.stop());
  return subject;
}
