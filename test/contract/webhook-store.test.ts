import { describe, expect, it } from '@jest/globals';
import { MAX_WEBHOOKS, WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import { MINUTE } from '../../lib/clock';
import { aWebhook, aWorkspace } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { at, atOnce, inTurn, present } from './helpers';

const UNKNOWN = 999_999_999;

const newWorkspace = async (subject: Subject): Promise<number> =>
  (await subject.stores.workspaces.create(aWorkspace())).id;
const register = async (subject: Subject, workspaceId: number) =>
  present(await subject.stores.webhooks.create(aWebhook(workspaceId), MAX_WEBHOOKS));

function describeWebhooks(open: OpenEngine): void {
  describe('subscriptions', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#webhook-subscription: webhook subscription: id, url, event_types, is_active, created_at
    it('are listed by their workspace with every field, in the order they were made', async () => {
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const given = [
        aWebhook(ours, { url: 'https://x.test/?a=1,2&b="%0a"#ü', eventTypes: [...WEBHOOK_EVENTS] }),
        aWebhook(ours, { eventTypes: ['click'], isActive: false }),
      ];
      const made = await inTurn(2, async (n) =>
        present(await subject.stores.webhooks.create(at(given, n), MAX_WEBHOOKS)),
      );
      await register(subject, theirs);
      const fresh = { lastSuccessAt: null, failures: 0 };
      expect(made).toEqual(
        given.map((webhook, n) => ({ ...webhook, ...fresh, enabledAt: webhook.createdAt, id: at(made, n).id })),
      );
      expect(await subject.stores.webhooks.list(ours)).toEqual(made);
    });

    it('of one URL may be several', async () => {
      const workspaceId = await newWorkspace(subject);
      const same = aWebhook(workspaceId);
      const ids = await inTurn(2, async () => present(await subject.stores.webhooks.create(same, MAX_WEBHOOKS)).id);
      expect(new Set(ids).size).toBe(2);
      expect((await subject.stores.webhooks.list(workspaceId)).map(({ url }) => url)).toEqual([same.url, same.url]);
    });

    it('are deleted by their workspace only, and once', async () => {
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const [first, second] = [await register(subject, ours), await register(subject, ours)];
      const { webhooks } = subject.stores;
      expect(await webhooks.delete(theirs, first.id)).toBe(false);
      expect(await webhooks.delete(ours, UNKNOWN)).toBe(false);
      expect(await webhooks.list(ours)).toEqual([first, second]);
      const answers = await atOnce(10, () => webhooks.delete(ours, first.id));
      expect(answers.filter(Boolean)).toEqual([true]);
      expect(await webhooks.list(ours)).toEqual([second]);
    });

    it('keep through a crash: what was made and what was deleted', async () => {
      const workspaceId = await newWorkspace(subject);
      const [kept, gone] = [await register(subject, workspaceId), await register(subject, workspaceId)];
      await subject.stores.webhooks.delete(workspaceId, gone.id);
      await subject.crash();
      expect(await subject.stores.webhooks.list(workspaceId)).toEqual([kept]);
    });

    it('never get an id that was another one, deleted or not', async () => {
      const workspaceId = await newWorkspace(subject);
      const ids = await inTurn(5, async () => {
        const { id } = await register(subject, workspaceId);
        await subject.stores.webhooks.delete(workspaceId, id);
        return id;
      });
      expect(new Set(ids).size).toBe(5);
    });
  });
}

function describeLimit(open: OpenEngine): void {
  describe('the limit of a workspace', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#webhook-limit: POST /webhooks: max 10 webhooks per workspace, 422 starting `Maksimal 10
    //   webhook per workspace.`
    it('is reached by exactly as many of 40 who register at once', async () => {
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const made = await atOnce(40, () => subject.stores.webhooks.create(aWebhook(ours), MAX_WEBHOOKS));
      const others = await register(subject, theirs);
      const webhooks = made.filter((webhook) => webhook !== null).sort((a, b) => a.id - b.id);
      expect(webhooks).toHaveLength(MAX_WEBHOOKS);
      expect(await subject.stores.webhooks.list(ours)).toEqual(webhooks);
      expect(await subject.stores.webhooks.list(theirs)).toEqual([others]);
    });

    it('leaves room again for as many as were deleted', async () => {
      const workspaceId = await newWorkspace(subject);
      const made = await inTurn(MAX_WEBHOOKS, () => register(subject, workspaceId));
      expect(await subject.stores.webhooks.create(aWebhook(workspaceId), MAX_WEBHOOKS)).toBeNull();
      for (const n of [2, 7]) await subject.stores.webhooks.delete(workspaceId, at(made, n).id);
      const more = await atOnce(20, () => subject.stores.webhooks.create(aWebhook(workspaceId), MAX_WEBHOOKS));
      expect(more.filter((webhook) => webhook !== null)).toHaveLength(2);
      expect(await subject.stores.webhooks.list(workspaceId)).toHaveLength(MAX_WEBHOOKS);
    });

    it('holds while others delete', async () => {
      const workspaceId = await newWorkspace(subject);
      const made = await inTurn(MAX_WEBHOOKS, () => register(subject, workspaceId));
      const { webhooks } = subject.stores;
      const [deleted, created] = await Promise.all([
        atOnce(4, (n) => webhooks.delete(workspaceId, at(made, n).id)),
        atOnce(20, () => webhooks.create(aWebhook(workspaceId), MAX_WEBHOOKS)),
      ]);
      const added = created.filter((webhook) => webhook !== null).length;
      expect(deleted).toEqual([true, true, true, true]);
      expect(added).toBeLessThanOrEqual(4);
      expect(await webhooks.list(workspaceId)).toHaveLength(MAX_WEBHOOKS - 4 + added);
    });

    it('is the one of the call: a lower one refuses whoever comes next', async () => {
      const workspaceId = await newWorkspace(subject);
      await inTurn(3, () => register(subject, workspaceId));
      expect(await subject.stores.webhooks.create(aWebhook(workspaceId), 2)).toBeNull();
      expect(await subject.stores.webhooks.create(aWebhook(workspaceId), 4)).not.toBeNull();
    });
  });
}

function describeStates(open: OpenEngine): void {
  describe('the state of a webhook', () => {
    const subject = sharedEngine(open);
    const read = async (id: number) => present(await subject.stores.webhooks.get(id));

    it('is read by id', async () => {
      const webhook = await register(subject, await newWorkspace(subject));
      expect(await subject.stores.webhooks.get(webhook.id)).toEqual(webhook);
      expect(await subject.stores.webhooks.get(UNKNOWN)).toBeNull();
    });

    it('counts failures until a success, which it keeps to the minute', async () => {
      const { webhooks } = subject.stores;
      const { id } = await register(subject, await newWorkspace(subject));
      await atOnce(7, () => webhooks.report(id, { success: false, at: NOW }));
      expect(await read(id)).toMatchObject({ failures: 7, lastSuccessAt: null });
      await webhooks.report(id, { success: true, at: NOW + 5 });
      expect(await read(id)).toMatchObject({ failures: 0, lastSuccessAt: NOW + 5 });
      await webhooks.report(id, { success: true, at: NOW + 6 });
      expect(await read(id)).toMatchObject({ lastSuccessAt: NOW + 5 });
      await webhooks.report(id, { success: true, at: NOW + 5 + MINUTE });
      expect(await read(id)).toMatchObject({ lastSuccessAt: NOW + 5 + MINUTE });
      await webhooks.report(UNKNOWN, { success: true, at: NOW });
    });

    it('is set inactive once, and active again with a new beginning', async () => {
      const { webhooks } = subject.stores;
      const { id } = await register(subject, await newWorkspace(subject));
      await webhooks.report(id, { success: false, at: NOW });
      expect(await webhooks.disable(id)).toBe(true);
      expect(await webhooks.disable(id)).toBe(false);
      expect(await read(id)).toMatchObject({ isActive: false, failures: 1 });
      expect(await webhooks.enable(id, NOW + 9)).toBe(true);
      expect(await read(id)).toMatchObject({ isActive: true, enabledAt: NOW + 9, failures: 0 });
      expect(await webhooks.enable(UNKNOWN, NOW)).toBe(false);
      expect(await webhooks.disable(UNKNOWN)).toBe(false);
    });

    it('stays active when it had a success or was enabled since the caller looked', async () => {
      const { webhooks } = subject.stores;
      const before = await register(subject, await newWorkspace(subject));
      await webhooks.report(before.id, { success: true, at: NOW });
      expect(await webhooks.disable(before.id, before)).toBe(false);
      const seen = await read(before.id);
      await webhooks.enable(before.id, NOW + 1);
      expect(await webhooks.disable(before.id, seen)).toBe(false);
      const { enabledAt, lastSuccessAt } = await read(before.id);
      expect(await webhooks.disable(before.id, { enabledAt, lastSuccessAt })).toBe(true);
    });

    it('begins again for all webhooks of a workspace that is resumed', async () => {
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const [a, b, c] = [await register(subject, ours), await register(subject, ours), await register(subject, theirs)];
      await subject.stores.webhooks.disable(b.id);
      await subject.stores.webhooks.restart(ours, NOW + 3);
      expect(await read(a.id)).toEqual({ ...a, enabledAt: NOW + 3 });
      expect(await read(b.id)).toEqual({ ...b, enabledAt: NOW + 3, isActive: false });
      expect(await read(c.id)).toEqual(c);
    });
  });
}

/** The WebhookStore behaviour required of every driver. */
function describeWebhookStore(open: OpenEngine): void {
  describe('WebhookStore', () => {
    describeWebhooks(open);
    describeLimit(open);
    describeStates(open);
  });
}

onEveryDriver(describeWebhookStore);
