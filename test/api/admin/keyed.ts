import type { AdvancingClock } from '../../../lib/advancing-clock';
import { createAdminKey, type NewAdminKey } from '../../../operations/people/admin-keys';
import { openHttpApps } from '../../../app/program/http-apps';
import { Running, temporaryInstallation, type Answer } from '../../support/running';

/** The whole program with its interfaces, as programs that manage it see it. */
export class Keyed {
  private constructor(readonly running: Running) {}

  static async start(env: Record<string, string> = {}, clock?: AdvancingClock): Promise<Keyed> {
    return new Keyed(await Running.startOn(temporaryInstallation(), env, clock, { httpApps: openHttpApps }));
  }

  get root(): string {
    return this.running.demo.base_url.replace(/\/v1$/, '/admin/v1');
  }

  /** Makes a key; by default one that may do all. */
  async key(of: Partial<NewAdminKey> = {}): Promise<string> {
    const { engine, clock, keyring } = this.running.kurir.services;
    const all = { name: 'ci', role: 'operator', workspaceId: null, expiresAt: null, createdBy: 'siti' } as const;
    const { text } = await createAdminKey({ records: engine.stores.records, clock, keyring }, { ...all, ...of });
    return text;
  }

  async request(method: string, path: string, key: string | null, body?: string, type = 'application/json') {
    const response = await fetch(`${this.root}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const answer: Answer = { status: response.status, body: (text ? JSON.parse(text) : {}) as Answer['body'] };
    return { ...answer, headers: response.headers };
  }

  /** Does an operation. */
  async do(key: string, operation: string, input: object = {}): Promise<Answer> {
    const { status, body } = await this.request('POST', `/${operation}`, key, JSON.stringify(input));
    return { status, body };
  }
}
