import { describe, expect, it } from '@jest/globals';
import { DuplicateError } from '../../lib/errors';
import type { NewTemplate } from '../../stores/ports/template-store';
import { aWorkspace, nextSerial } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { atOnce } from './helpers';

const UNKNOWN = 999_999_999;

/** The TemplateStore behaviour required of every driver. */
function describeTemplateStore(open: OpenEngine): void {
  describe('TemplateStore', () => {
    const subject = sharedEngine(open);
    const newWorkspace = async () => (await subject.stores.workspaces.create(aWorkspace())).id;
    const aTemplate = (workspaceId: number, change: Partial<NewTemplate> = {}): NewTemplate => ({
      workspaceId,
      name: `Pesanan ${nextSerial()}`,
      subject: 'Pesanan {{order_no}}\0',
      html: '<p>{{order_no}}</p>',
      text: null,
      variables: [{ name: 'order_no', type: 'string' }],
      createdAt: TEST_START,
      ...change,
    });
    const edited = { subject: 'Baru', html: '<p>b</p>', text: 'b', variables: [], updatedAt: TEST_START + 5 };

    it('answers a created template with every field, in version 1, also after a crash', async () => {
      const given = aTemplate(await newWorkspace());
      const created = await subject.stores.templates.create(given);
      expect(created).toEqual({ ...given, id: created.id, version: 1, updatedAt: TEST_START });
      await subject.crash();
      expect(await subject.stores.templates.get(created.id)).toEqual(created);
    });

    it('lists those of the workspace by name, without their content', async () => {
      const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
      for (const name of ['c', 'a', 'B']) await subject.stores.templates.create(aTemplate(ours, { name }));
      await subject.stores.templates.create(aTemplate(theirs));
      const list = await subject.stores.templates.list(ours);
      expect(list.map(({ name }) => name)).toEqual(['B', 'a', 'c']);
      const { html, text, ...item } = (await subject.stores.templates.get(list[0]!.id))!;
      expect([html, text]).toEqual(['<p>{{order_no}}</p>', null]);
      expect(list[0]).toEqual(item);
    });

    it('writes an edit decided on the version that is there, and no other', async () => {
      const created = await subject.stores.templates.create(aTemplate(await newWorkspace()));
      const edit = { ...edited, name: created.name };
      const after = await subject.stores.templates.edit(created.id, 1, edit);
      expect(after).toEqual({ ...created, ...edit, version: 2 });
      expect(await subject.stores.templates.edit(created.id, 1, { ...edit, subject: 'Lama' })).toBeNull();
      expect(await subject.stores.templates.edit(UNKNOWN, 1, { ...edit, name: 'x' })).toBeNull();
      expect(await subject.stores.templates.get(created.id)).toEqual(after);
    });

    it('lets exactly one of many edits at once win', async () => {
      const created = await subject.stores.templates.create(aTemplate(await newWorkspace()));
      const edits = await atOnce(8, () =>
        subject.stores.templates.edit(created.id, 1, { ...edited, name: created.name }),
      );
      expect(edits.filter(Boolean)).toHaveLength(1);
    });

    // spec: docs/contract.md#template: a name once in an account
    it('gives a name once in a workspace, to new ones and to edits', async () => {
      const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
      const taken = await subject.stores.templates.create(aTemplate(ours));
      const other = await subject.stores.templates.create(aTemplate(ours));
      await subject.stores.templates.create(aTemplate(theirs, { name: taken.name }));
      const again = aTemplate(ours, { name: taken.name });
      await expect(subject.stores.templates.create(again)).rejects.toBeInstanceOf(DuplicateError);
      const edit = subject.stores.templates.edit(other.id, 1, { ...edited, name: taken.name });
      await expect(edit).rejects.toBeInstanceOf(DuplicateError);
      expect(await subject.stores.templates.get(other.id)).toEqual(other);
    });

    it('deletes for its workspace only, and never answers it again', async () => {
      const created = await subject.stores.templates.create(aTemplate(await newWorkspace()));
      expect(await subject.stores.templates.delete(await newWorkspace(), created.id)).toBe(false);
      expect(await subject.stores.templates.delete(created.workspaceId, created.id)).toBe(true);
      expect(await subject.stores.templates.delete(created.workspaceId, created.id)).toBe(false);
      expect(await subject.stores.templates.get(created.id)).toBeNull();
      expect((await subject.stores.templates.create(aTemplate(created.workspaceId))).id).toBeGreaterThan(created.id);
    });
  });
}

onEveryDriver(describeTemplateStore);
