import { beforeEach, describe, expect, it } from '@jest/globals';
import { claimTicket, type Claimed } from '../../../commands/people/claims';
import type { PeopleDeps } from '../../../commands/people/people';
import { beginSession, findSession } from '../../../commands/people/sessions';
import { makeTicket } from '../../../commands/people/tickets';
import { epochOf } from '../../../domain/people/account-trust';
import { onEveryDriver } from '../../contract/drivers';
import { freshEngine, type OpenEngine } from '../../contract/harness';

const EMAIL = 'bob@toko.example';
const VIEWER = { operator: false, workspaceId: 1, role: 'viewer' } as const;
const OPERATOR = { operator: true, workspaceId: null, role: null } as const;

function describeClaims(open: OpenEngine): void {
  // spec: docs/contract.md#dashboard-operations: of two links used at once, only what each has made lets its user in
  describe('two links of one address, used at once', () => {
    const subject = freshEngine(open);
    let deps: PeopleDeps;
    beforeEach(() => {
      deps = { directory: subject.stores.directory, clock: subject.clock };
    });
    const use = (token: string, password: string, on = deps): Promise<Claimed | null> =>
      claimTicket(on, token, { email: EMAIL, name: null, password }, () => Promise.resolve());
    /** The same directory, where something happens once just before (or after) this is called. */
    const beset = (kind: 'take' | 'add' | 'change', of: string, meanwhile: () => Promise<unknown>, after = false) => {
      let isDone = false;
      const { directory } = deps;
      const besetting = new Proxy(directory, {
        get: (target, name: keyof typeof directory) => {
          const own = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
          if (name !== kind) return own;
          return async (...given: unknown[]) => {
            const isThis = !isDone && (given[0] === of || (given[0] as { kind?: string }).kind === of);
            isDone ||= isThis;
            if (isThis && !after) await meanwhile();
            const end = await own(...given);
            if (isThis && after) await meanwhile();
            return end;
          };
        },
      });
      return { ...deps, directory: besetting };
    };
    const isLetIn = async (claimed: Claimed | null): Promise<boolean> => {
      if (!claimed?.chosen) return false;
      const epoch = epochOf(claimed.chosen.body);
      const token = await beginSession(deps, EMAIL, { by: 'link', address: '', agent: '', epoch });
      return (await findSession(deps, token)) !== null;
    };

    it.each([
      ['before the user is made', 'take', 'ticket', true],
      ['just before the user is stored', 'add', 'user', false],
      ['just after the user is stored', 'add', 'user', true],
    ] as const)('the shown one lets nobody into what the mailed one made %s', async (_when, kind, of, after) => {
      const shown = await makeTicket(deps, 'invite', EMAIL, VIEWER);
      const mailed = await makeTicket(deps, 'invite', EMAIL, VIEWER, { trust: 'mail' });
      const ends: (Claimed | null)[] = [];
      const meanwhile = async () => ends.push(await use(mailed, 'kucing biru di atas atap'));
      const eve = await use(shown, 'jeruk hijau di tepi sungai', beset(kind, of, meanwhile, after));
      expect([await isLetIn(eve), await isLetIn(ends[0]!)]).toEqual([false, true]);
    });

    it('that of an operator lets nobody into what the mailed one made', async () => {
      const shown = await makeTicket(deps, 'invite', EMAIL, OPERATOR, { trust: 'operator' });
      const mailed = await makeTicket(deps, 'invite', EMAIL, VIEWER, { trust: 'mail' });
      const ends: (Claimed | null)[] = [];
      const meanwhile = async () => ends.push(await use(mailed, 'kucing biru di atas atap'));
      const eve = await use(shown, 'jeruk hijau di tepi sungai', beset('take', 'ticket', meanwhile, true));
      expect([await isLetIn(eve), await isLetIn(ends[0]!)]).toEqual([false, true]);
    });

    it('each alone lets in', async () => {
      expect(
        await isLetIn(await use(await makeTicket(deps, 'invite', EMAIL, VIEWER), 'jeruk hijau di tepi sungai')),
      ).toBe(true);
      const mailed = await makeTicket(deps, 'invite', EMAIL, VIEWER, { trust: 'mail' });
      expect(await isLetIn(await use(mailed, 'kucing biru di atas atap'))).toBe(true);
    });
  });
}

onEveryDriver(describeClaims);
