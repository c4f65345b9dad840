import { describe, expect, it } from '@jest/globals';
import { DRIVE_WORK, START_WORK } from '../../../domain/campaigns/campaign-moves';
import type { CampaignMove } from '../../../domain/campaigns/campaign-moves';
import { HOUR } from '../../../lib/clock';
import { aGrant, aSuppression, createSender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { addMembers, anAudience } from '../../support/marketing';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce, present } from '../helpers';
import { prepare, progressOf, start, type Prepared } from './support';

const UNKNOWN = 999_999_999;

/** Counting, starting and moving. */
export function describeStart(open: OpenEngine): void {
  const subject = sharedEngine(open);
  const due = async (kind: string, id: number): Promise<boolean> => {
    const tasks = await subject.stores.dueTasks.claim({
      kind,
      now: Number.MAX_SAFE_INTEGER - 1,
      leaseUntil: 1,
      limit: 1_000,
    });
    return tasks.some((task) => task.id === String(id));
  };

  describe('countMembers', () => {
    // spec: docs/contract.md#send-a-campaign: recipients are subscribed, not suppressed, and confirmed
    it('counts who is subscribed, not suppressed and confirmed, page by page', async () => {
      const { stores } = subject;
      const { workspace } = await createSender(stores);
      const audience = await stores.audiences.create(anAudience(workspace.id));
      const members = await addMembers(stores, audience, 6);
      await stores.contacts.raiseStatus(workspace.id, at(members, 0).id, 'unsubscribed', TEST_START);
      await stores.contacts.raiseStatus(workspace.id, at(members, 1).id, 'complained', TEST_START);
      const { emailHash } = at(members, 2);
      await stores.suppressions.add(aSuppression({ workspaceId: workspace.id, addressHash: emailHash }));
      await stores.suppressions.add(aSuppression({ addressHash: at(members, 3).emailHash }));
      const query = { workspaceId: workspace.id, audienceId: audience.id, joinedBy: TEST_START };
      const ids = members.map(({ id }) => id).sort((a, b) => a - b);
      const first = await stores.campaignRuns.countMembers({ ...query, after: 0, limit: 4 });
      expect(first).toMatchObject({ last: ids[3], done: false });
      const second = await stores.campaignRuns.countMembers({ ...query, after: present(first.last), limit: 4 });
      expect(second).toMatchObject({ last: ids[5], done: true });
      expect(first.qualified + second.qualified).toBe(2);
    });

    // spec: docs/contract.md#send-a-campaign: double opt-in
    it('leaves out who has not confirmed with double opt-in, and who joined later', async () => {
      const { stores } = subject;
      const { workspace } = await createSender(stores);
      for (const [optInMode, joinedBy] of [
        ['double', TEST_START],
        ['single', TEST_START - 1],
      ] as const) {
        const audience = await stores.audiences.create(anAudience(workspace.id, { optInMode }));
        await addMembers(stores, audience, 2);
        const query = { workspaceId: workspace.id, audienceId: audience.id, joinedBy, after: 0, limit: 10 };
        expect(await stores.campaignRuns.countMembers(query)).toMatchObject({ qualified: 0, done: true });
      }
    });
  });

  describe('start', () => {
    it('sets a draft live and schedules the work that drives it', async () => {
      const prepared = await prepare(subject);
      expect(await start(subject, prepared)).toEqual({ kind: 'started', status: 'live' });
      const { campaign } = prepared;
      expect(await subject.stores.campaigns.get(campaign.workspaceId, campaign.id)).toEqual({
        ...campaign,
        status: 'live',
        sentAt: TEST_START,
        recipients: 3,
        lastContactId: at(prepared.members, 2).id,
      });
      expect(await due(DRIVE_WORK, campaign.id)).toBe(true);
    });

    it('completes a campaign that nobody qualifies for', async () => {
      const prepared = await prepare(subject, { members: 0 });
      expect(await start(subject, prepared)).toEqual({ kind: 'started', status: 'completed' });
    });

    it('is won by one of several at once', async () => {
      const prepared = await prepare(subject);
      const outcomes = await atOnce(5, () => start(subject, prepared));
      expect(outcomes.filter(({ kind }) => kind === 'started')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(4);
    });

    it('refuses in the order of the contract', async () => {
      const { stores } = subject;
      const prepared = await prepare(subject, { coins: 2, campaign: { html: null, status: 'live' } });
      const { workspace, domain } = prepared.sender;
      await stores.workspaces.update(workspace.id, { businessAddress: ' ' });
      await stores.domains.setStatus(domain.id, 'suspended');
      expect(await start(subject, prepared)).toEqual({ kind: 'refused', reason: 'no_business_address' });
      await stores.workspaces.update(workspace.id, { businessAddress: 'Jl. Melati 1' });
      expect(await start(subject, prepared)).toEqual({ kind: 'refused', reason: 'domain_inactive' });
      await stores.domains.setStatus(domain.id, 'active');
      expect(await start(subject, prepared)).toEqual({ kind: 'refused', reason: 'no_content' });
      const other = await prepare(subject, { coins: 2, campaign: { status: 'live' } });
      expect(await start(subject, other)).toEqual({ kind: 'refused', reason: 'coins', needed: 3, balance: 2 });
      await stores.coins.post(aGrant(other.sender.workspace.id, 1));
      expect(await start(subject, other)).toEqual({ kind: 'refused', reason: 'not_startable' });
    });

    it('wants the approval of an owner where the workspace does', async () => {
      const { stores } = subject;
      const prepared = await prepare(subject);
      const { workspaceId, id } = prepared.campaign;
      await stores.workspaces.update(workspaceId, { campaignApproval: true });
      const refused = { kind: 'refused', reason: 'not_approved' };
      expect(await start(subject, prepared)).toEqual(refused);
      const approval = { state: 'asked', by: 'siti@contoh.test', at: TEST_START } as const;
      await stores.campaigns.approve(workspaceId, id, prepared.campaign, approval);
      expect(await start(subject, prepared)).toEqual(refused);
      await stores.campaigns.approve(workspaceId, id, prepared.campaign, { ...approval, state: 'given' });
      expect(await start(subject, prepared)).toMatchObject({ kind: 'started' });
    });

    it('starts a scheduled one only from its time on', async () => {
      const scheduledAt = TEST_START + HOUR;
      const prepared = await prepare(subject, { campaign: { status: 'scheduled', scheduledAt } });
      const refused = { kind: 'refused', reason: 'not_startable' };
      expect(await start(subject, prepared)).toEqual(refused);
      expect(await start(subject, prepared, { from: 'scheduled' })).toEqual(refused);
      expect(await start(subject, prepared, { from: 'scheduled', at: scheduledAt })).toMatchObject({ kind: 'started' });
    });

    it('knows no campaign of another workspace', async () => {
      const prepared = await prepare(subject);
      const { workspace } = await createSender(subject.stores);
      expect(await start(subject, prepared, { workspaceId: workspace.id })).toEqual({ kind: 'unknown' });
      expect(await start(subject, prepared, { id: UNKNOWN })).toEqual({ kind: 'unknown' });
    });
  });

  describe('move', () => {
    const move = ({ campaign }: Prepared, how: CampaignMove) =>
      subject.stores.campaignRuns.move(campaign, how, TEST_START);

    // spec: docs/contract.md#campaign-statuses: scheduling and back
    it('schedules and unschedules, with the task that starts it', async () => {
      const prepared = await prepare(subject);
      const scheduledAt = TEST_START + HOUR;
      expect(await move(prepared, { kind: 'schedule', scheduledAt })).toEqual({ kind: 'moved', status: 'scheduled' });
      const { campaign } = prepared;
      expect((await progressOf(subject, campaign)).campaign).toMatchObject({ status: 'scheduled', scheduledAt });
      expect(await due(START_WORK, campaign.id)).toBe(true);
      expect(await move(prepared, { kind: 'unschedule' })).toEqual({ kind: 'moved', status: 'draft' });
      expect((await progressOf(subject, campaign)).campaign).toMatchObject({ status: 'draft', scheduledAt: null });
      expect(await due(START_WORK, campaign.id)).toBe(false);
    });

    // spec: docs/contract.md#scheduled-campaigns: started at its time; a refusal makes it a draft with the reason
    it('keeps why a scheduled start was refused, until it is scheduled again', async () => {
      const prepared = await prepare(subject);
      await move(prepared, { kind: 'schedule', scheduledAt: TEST_START });
      expect(await move(prepared, { kind: 'refuse', reason: 'Saldo kurang.' })).toMatchObject({ status: 'draft' });
      const { campaign } = prepared;
      const scheduleError = 'Saldo kurang.';
      expect((await progressOf(subject, campaign)).campaign).toMatchObject({ status: 'draft', scheduleError });
      await move(prepared, { kind: 'schedule', scheduledAt: TEST_START });
      expect((await progressOf(subject, campaign)).campaign).toMatchObject({ scheduleError: null });
    });

    // spec: docs/contract.md#campaign-statuses: draft, scheduled, live, paused, completed
    it('pauses, resumes and cancels, and refuses what the status does not allow', async () => {
      const prepared = await prepare(subject);
      const { campaign } = prepared;
      for (const kind of ['resume', 'cancel', 'unschedule'] as const) {
        expect(await move(prepared, { kind })).toEqual({ kind: 'refused' });
      }
      await start(subject, prepared);
      expect(await move(prepared, { kind: 'pause', reason: 'Terlalu banyak bounce.' })).toMatchObject({
        status: 'paused',
      });
      expect((await progressOf(subject, campaign)).campaign.pauseReason).toBe('Terlalu banyak bounce.');
      expect(await move(prepared, { kind: 'pause', reason: null })).toEqual({ kind: 'refused' });
      expect(await move(prepared, { kind: 'resume' })).toEqual({ kind: 'moved', status: 'live' });
      expect((await progressOf(subject, campaign)).campaign.pauseReason).toBeNull();
      expect(await move(prepared, { kind: 'cancel' })).toEqual({ kind: 'moved', status: 'completed' });
      expect((await progressOf(subject, campaign)).campaign.cancelledAt).toBe(TEST_START);
      for (const kind of ['resume', 'cancel', 'complete'] as const) {
        expect(await move(prepared, { kind })).toEqual({ kind: 'refused' });
      }
      expect(await subject.stores.campaignRuns.move({ ...campaign, id: UNKNOWN }, { kind: 'cancel' }, 0)).toEqual({
        kind: 'unknown',
      });
    });

    it('takes a claimed task from its worker when it resumes', async () => {
      const prepared = await prepare(subject);
      await start(subject, prepared);
      const { dueTasks } = subject.stores;
      const claim = { kind: DRIVE_WORK, now: TEST_START, leaseUntil: TEST_START + HOUR, limit: 1_000 };
      const task = present((await dueTasks.claim(claim)).find(({ id }) => id === String(prepared.campaign.id)));
      await move(prepared, { kind: 'pause', reason: null });
      await move(prepared, { kind: 'resume' });
      expect(await dueTasks.finish(task)).toBe(false);
      expect(await due(DRIVE_WORK, prepared.campaign.id)).toBe(true);
    });

    it('stores the marks of the brake, and drops them when it resumes', async () => {
      const prepared = await prepare(subject);
      const { campaign } = prepared;
      await start(subject, prepared);
      await subject.stores.campaignRuns.mark(campaign, [{ final: 100, bad: 3 }]);
      expect((await progressOf(subject, campaign)).marks).toEqual([{ final: 100, bad: 3 }]);
      await move(prepared, { kind: 'pause', reason: null });
      await move(prepared, { kind: 'resume' });
      expect((await progressOf(subject, campaign)).marks).toEqual([]);
    });
  });
}
