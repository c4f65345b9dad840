import { describe, expect, it } from '@jest/globals';
import { acceptOne, aContact, anAcceptance, aWorkspace, createSender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';

const LATER = TEST_START + 60_000;

/** Enough contacts to fill several blocks of ids, alternating between the workspaces. */
const MANY = 1_300;

/** ContactStore.list: exact totals and pages at any moment. */
export function listCases(open: OpenEngine): void {
  describe('list', () => {
    const subject = sharedEngine(open);
    const newWorkspace = async (): Promise<number> => (await subject.stores.workspaces.create(aWorkspace())).id;
    const newContact = async () => subject.stores.contacts.ensure(aContact(await newWorkspace()));
    const page = (workspaceId: number, offset: number, limit = 50) =>
      subject.stores.contacts.list(workspaceId, { offset, limit });
    const whole = async (workspaceId: number): Promise<number[]> => {
      const ids: number[] = [];
      for (let found = await page(workspaceId, 0, 400); found.items.length > 0;) {
        ids.push(...found.items.map(({ id }) => id));
        found = await page(workspaceId, ids.length, 400);
        expect(found.total).toBe((await page(workspaceId, 0, 1)).total);
      }
      return ids;
    };

    it('of a workspace without contacts is empty', async () => {
      expect(await page(await newWorkspace(), 0)).toEqual({ total: 0, items: [] });
    });

    it('by address hashes finds those of the workspace, each once', async () => {
      const first = await newContact();
      const { contacts } = subject.stores;
      const second = await contacts.ensure(aContact(first.workspaceId));
      const theirs = await newContact();
      const hashes = [second, first, theirs, first].map(({ emailHash }) => emailHash);
      const found = await contacts.findByHashes(first.workspaceId, [...hashes, 'unknown']);
      expect(found.sort((a, b) => a.id - b.id)).toEqual([first, second].sort((a, b) => a.id - b.id));
      expect(await contacts.findByHashes(first.workspaceId, [])).toEqual([]);
    });

    it('answers whole contacts, as `get` does, one just made and one just renamed too', async () => {
      const first = await newContact();
      const { contacts } = subject.stores;
      const second = await contacts.ensure(aContact(first.workspaceId));
      const inOrder = [first, second].sort((a, b) => a.id - b.id);
      expect(await page(first.workspaceId, 0)).toEqual({ total: 2, items: inOrder });
      const renamed = await contacts.rename(first.workspaceId, second.id, 'Baru', LATER);
      expect((await page(first.workspaceId, 0)).items).toContainEqual(renamed);
    });

    it('holds every contact once in order of the ids, however it is cut, and nobody else', async () => {
      const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
      const made = await atOnce(MANY, (n) => subject.stores.contacts.ensure(aContact(n % 3 === 0 ? theirs : ours)));
      const mine = made.filter(({ workspaceId }) => workspaceId === ours).map(({ id }) => id);
      mine.sort((a, b) => a - b);
      expect(await whole(ours)).toEqual(mine);
      for (const offset of [0, 1, 399, mine.length - 1, mine.length]) {
        const { total, items } = await page(ours, offset, 3);
        expect([total, items.map(({ id }) => id)]).toEqual([mine.length, mine.slice(offset, offset + 3)]);
      }
      expect(await page(ours, Number.MAX_SAFE_INTEGER)).toEqual({ total: mine.length, items: [] });
    });

    // spec: docs/contract.md#list-of-contacts: GET /contacts: paginated envelope, 50 per page, ordered by ID
    it('is exact at every moment while contacts come and go', async () => {
      const workspaceId = await newWorkspace();
      const { contacts } = subject.stores;
      const made = await atOnce(60, () => contacts.ensure(aContact(workspaceId)));
      const seen: number[] = [];
      const watch = async (): Promise<void> => {
        for (let look = 0; look < 10; look += 1) {
          const { total, items } = await page(workspaceId, 0, 200);
          expect(items).toHaveLength(total);
          seen.push(total);
        }
      };
      await Promise.all([
        watch(),
        atOnce(20, (n) => contacts.delete(workspaceId, at(made, n).id)),
        atOnce(40, () => contacts.ensure(aContact(workspaceId))),
      ]);
      expect(Math.max(...seen)).toBeLessThanOrEqual(100);
      expect((await page(workspaceId, 0, 200)).total).toBe(80);
      expect(await whole(workspaceId)).toHaveLength(80);
    });

    it('counts a contact that a mail made, and one of 20 that were made or deleted at once', async () => {
      const sender = await createSender(subject.stores);
      const { id: workspaceId } = sender.workspace;
      const address = aContact(workspaceId);
      await atOnce(20, () => acceptOne(subject.stores.messages, anAcceptance(sender, { recipient: { address } })));
      expect(await page(workspaceId, 0)).toMatchObject({ total: 2, items: [{}, {}] });
      const { contacts } = subject.stores;
      await atOnce(20, () => contacts.delete(workspaceId, sender.contact.id));
      expect(await page(workspaceId, 0)).toMatchObject({ total: 1, items: [{ email: address.email }] });
    });

    it('comes back as it was after a crash', async () => {
      const { workspaceId } = await newContact();
      await subject.stores.contacts.ensure(aContact(workspaceId));
      const before = await page(workspaceId, 0);
      await subject.crash();
      expect(await page(workspaceId, 0)).toEqual(before);
      expect(before.total).toBe(2);
    });
  });
}
