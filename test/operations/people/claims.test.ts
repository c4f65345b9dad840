import { beforeEach, describe, expect, it } from '@jest/globals';
import { claimTicket, wayOf, type Claimed } from '../../../operations/people/claims';
import { USERS, NEW_USER, userOf, type PeopleDeps } from '../../../operations/people/people';
import { beginSession, findSession } from '../../../operations/people/sessions';
import { findTicket, makeTicket } from '../../../operations/people/tickets';
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
      deps = { records: subject.stores.records, clock: subject.clock };
    });
    const use = (token: string, password: string, on = deps): Promise<Claimed | null> =>
      claimTicket(on, token, { email: EMAIL, name: null, password }, () => Promise.resolve());
    /** The same record store, where something happens once just before (or after) this is called. */
    const beset = (kind: 'take' | 'add' | 'change', of: string, meanwhile: () => Promise<unknown>, after = false) => {
      let isDone = false;
      const { records } = deps;
      const besetting = new Proxy(records, {
        get: (target, name: keyof typeof records) => {
          const own = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
          if (name !== kind) return own;
          return async (...given: unknown[]) => {
            const isThis = !isDone && (given[0] as { name: string }).name === of;
            isDone ||= isThis;
            if (isThis && !after) await meanwhile();
            const end = await own(...given);
            if (isThis && after) await meanwhile();
            return end;
          };
        },
      });
      return { ...deps, records: besetting };
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

    it('the mailed one ends what that of an operator was used for before, which may have been stolen', async () => {
      const shown = await makeTicket(deps, 'invite', EMAIL, VIEWER, { trust: 'operator' });
      const mailed = await makeTicket(deps, 'invite', EMAIL, VIEWER, { trust: 'mail' });
      const eve = await use(shown, 'jeruk hijau di tepi sungai');
      expect(wayOf((await findTicket(deps, mailed))!, await userOf(deps, EMAIL))).toBe('new');
      const bob = await use(mailed, 'kucing biru di atas atap');
      expect([await isLetIn(eve), await isLetIn(bob)]).toEqual([false, true]);
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

function describeVouched(open: OpenEngine): void {
  // spec: docs/contract.md#dashboard-operations: a mail is no way around the second factor of who is vouched for
  describe('a mailed link to an account for which an operator vouches', () => {
    const subject = freshEngine(open);
    const totp = { sealed: 'sealed', last: 1 };
    const add = async () => {
      const deps = { records: subject.stores.records, clock: subject.clock };
      const body = { ...NEW_USER, createdAt: 1, totp, recovery: ['a'], trust: { by: 'operator', at: 1 } as const };
      await deps.records.add(USERS, { id: EMAIL, user: EMAIL, body }, subject.clock.now());
      return deps;
    };

    it.each([['of a workspace', VIEWER] as const, ['to run the installation', OPERATOR] as const])(
      'takes an invitation %s by signing in only',
      async (_what, grant) => {
        const deps = await add();
        const ticket = await findTicket(deps, await makeTicket(deps, 'invite', EMAIL, grant, { trust: 'mail' }));
        expect(wayOf(ticket!, await userOf(deps, EMAIL))).toBe('accept');
      },
    );

    it('resets the password, proves the address, and leaves the second factor', async () => {
      const deps = await add();
      const token = await makeTicket(deps, 'reset', EMAIL, null, { trust: 'mail' });
      const claim = { email: EMAIL, name: null, password: 'kucing biru di atas atap' };
      const { chosen } = (await claimTicket(deps, token, claim, () => Promise.resolve()))!;
      expect(chosen!.body).toMatchObject({ totp, recovery: ['a'], trust: { by: 'mail' }, epoch: 1 });
    });
  });
}

onEveryDriver((open) => {
  describeClaims(open);
  describeVouched(open);
});
