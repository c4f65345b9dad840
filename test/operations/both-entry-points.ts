import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { readConfig } from '../../operations/config/config';
import type { Services } from '../../app/shared-services';
import { accessOf } from '../../domain/people/access';
import type { WorkspaceRole } from '../../domain/people/role';
import type { Workspace } from '../../domain/settings/workspace';
import { findOperation } from '../../operations/catalogue';
import { performFor, type Done } from '../../operations/perform';
import type { Stores } from '../../stores/ports';
import type { OpenedEngine, OpenEngine } from '../contract/harness';
import { temporaryDir, testEnv } from '../support/running';
import { TestApi, type Account, type Answer } from '../support/test-api';

/** The name of whoever does operations, in the trail. */
export const ACTOR = 'siti@server';

/** One engine behind the REST API and operations, with a new workspace for each case. */
export class BothEntryPoints {
  account!: Account;

  constructor(
    readonly api: TestApi,
    private readonly opened: OpenedEngine,
  ) {}

  get stores(): Stores {
    return this.opened.engine.stores;
  }

  get workspace(): Workspace {
    return this.account.workspace;
  }

  rest(method: 'get' | 'post' | 'patch' | 'delete', path: string, body: object = {}): PromiseLike<Answer> {
    return this.api.ask(method, `/v1${path}`, this.account.key).send(body);
  }

  /** Does an operation in the workspace, as an operator or a member of a role. */
  async perform(name: string, input: object = {}, role?: WorkspaceRole): Promise<Done> {
    const services = {
      config: readConfig(testEnv(temporaryDir())),
      clock: this.api.clock,
      engine: this.opened.engine,
      keyring: this.api.keyring,
    } as unknown as Services;
    const { id } = this.workspace;
    const access = accessOf({
      everywhere: role ? null : 'operator',
      workspaces: new Map(role ? [[id, role]] : []),
    });
    return performFor(services, { actor: ACTOR, access }, (await findOperation(name))!, { workspace: id, ...input });
  }

  /** What an operation answers that must succeed. */
  async answer(name: string, input: object = {}, role?: WorkspaceRole): Promise<object> {
    const done = await this.perform(name, input, role);
    if (done.ok) return done.json;
    throw new Error(done.fault.message);
  }

  /** The lines of the trail of the workspace, oldest first. */
  async trail(): Promise<{ actor: string; action: string; target: string }[]> {
    const lines = await this.stores.operatorLog.list(1_000);
    return lines
      .filter(({ workspaceId }) => workspaceId === this.workspace.id)
      .map(({ actor, action, target }) => ({ actor, action, target }))
      .reverse();
  }
}

/** Opens both on an engine for a suite. */
export function openBothEntryPoints(open: OpenEngine): () => BothEntryPoints {
  let both: BothEntryPoints;
  let opened: OpenedEngine;
  beforeAll(async () => {
    opened = await open();
    both = new BothEntryPoints(await TestApi.open({ engine: async () => opened.engine }), opened);
  });
  beforeEach(async () => {
    both.account = await both.api.account();
  });
  afterAll(async () => {
    await both.api.close();
    await opened.destroy();
  });
  return () => both;
}
