import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../../../domain/campaigns/campaign';
import { startCampaign } from '../../../operations/campaigns/start-campaign';
import type { Done } from '../../../operations/perform';
import type { NewWorkspace } from '../../../stores/ports/workspace-store';
import { onEveryDriver } from '../../contract/drivers';
import type { OpenEngine } from '../../contract/harness';
import { addMembers, aCampaign, anAudience } from '../../support/marketing';
import { ACTOR, openBothDoors, type BothDoors } from '../both-entry-points';

/** A draft to two members, in a new workspace. */
async function aDraft(doors: BothDoors, profile: Partial<NewWorkspace> = {}): Promise<Campaign> {
  doors.account = await doors.api.account({ profile: { businessAddress: 'Bandung', ...profile } });
  const { workspace, domain } = doors.account;
  const audience = await doors.stores.audiences.create(anAudience(workspace.id));
  await addMembers(doors.stores, audience, 2);
  return doors.stores.campaigns.create(aCampaign({ workspace, domain }, audience.id));
}

const faultOf = (done: Done): string => (done.ok ? '' : done.fault.message);

/** The start and the moves of campaigns by the REST API and by operations. */
function describeBothDoors(open: OpenEngine): void {
  const at = openBothDoors(open);

  // spec: docs/contract.md#send-a-campaign: the approval of an owner is asked for before the fifth, after the others
  it('what is missing is refused in one order, and an approval after the coins', async () => {
    const doors = at();
    const { id } = await aDraft(doors, { businessAddress: '', campaignApproval: true });
    const send = async () => [
      (await doors.rest('post', `/campaigns/${id}/send`)).body.code,
      faultOf(await doors.perform('campaign.send', { campaign: id }, 'editor')),
    ];
    expect(await send()).toEqual(['business_address_missing', expect.stringContaining('Business address is missing')]);
    await doors.stores.workspaces.update(doors.workspace.id, { businessAddress: 'Bandung' });
    expect(await send()).toEqual(['campaign_not_approved', expect.stringContaining('has not approved the campaign')]);
    expect(await doors.answer('campaign.send', { campaign: id }, 'owner')).toEqual({ id, status: 'live' });
    expect(await doors.stores.campaigns.get(doors.workspace.id, id)).toMatchObject({
      approval: { state: 'given', by: ACTOR },
    });
    expect(await send()).toEqual(['campaign_not_draft', expect.stringContaining('not a draft')]);
  });

  it('an owner does not agree to another content than was seen; the trail has the attempt before', async () => {
    const doors = at();
    const { stores, api } = doors;
    const seen = await aDraft(doors, { campaignApproval: true });
    const { workspaceId, id } = seen;
    await stores.campaigns.edit(workspaceId, id, { ...seen, subject: 'Lain' }, null);
    const { operatorLog } = stores;
    const note = (action: string, target: string, of: number | null) =>
      operatorLog.append({ at: api.clock.now(), actor: ACTOR, action, target, workspaceId: of });
    const deps = { stores, clock: api.clock, note };
    expect(await startCampaign(deps, seen, 'draft', ACTOR)).toEqual({ kind: 'changed' });
    expect(await stores.campaigns.get(workspaceId, id)).toMatchObject({ status: 'draft', approval: null });
    expect(await doors.trail()).toEqual([{ actor: ACTOR, action: 'campaign send', target: String(id) }]);
  });

  // spec: docs/contract.md#scheduled-campaigns: nothing of a suspended account is started, whoever starts it
  it('a suspended workspace starts and resumes nothing', async () => {
    const doors = at();
    const draft = await aDraft(doors);
    const { id, ...content } = draft;
    const { workspaceId } = draft;
    await doors.answer('campaign.send', { campaign: id });
    await doors.answer('campaign.pause', { campaign: id });
    const another = await doors.stores.campaigns.create(content);
    await doors.stores.workspaces.update(workspaceId, { suspended: true });
    const suspended = `The workspace is suspended: kurir workspace resume ${workspaceId}.`;
    expect((await doors.rest('post', `/campaigns/${id}/resume`)).body.code).toBe('workspace_suspended');
    expect(faultOf(await doors.perform('campaign.resume', { campaign: id }))).toBe(suspended);
    expect((await doors.rest('post', `/campaigns/${another.id}/send`)).body.code).toBe('workspace_suspended');
    expect(faultOf(await doors.perform('campaign.send', { campaign: another.id }))).toBe(suspended);
    const deps = { stores: doors.stores, clock: doors.api.clock };
    expect(await startCampaign(deps, another)).toEqual({ kind: 'refused', because: 'suspended' });
  });

  // spec: docs/contract.md#campaign-after-the-start: both doors
  it.each(['pause', 'resume', 'cancel'] as const)(
    '%s moves it alike, and is refused alike in another state',
    async (kind) => {
      const doors = at();
      const ends = [];
      for (const by of ['rest', 'operation'] as const) {
        const { id, workspaceId } = await aDraft(doors);
        const move = async () => {
          if (by === 'operation') return (await doors.perform(`campaign.${kind}`, { campaign: id })).ok;
          return (await doors.rest('post', `/campaigns/${id}/${kind}`)).status === 200;
        };
        const moved = [await move()];
        await doors.answer('campaign.send', { campaign: id });
        if (kind === 'resume') await doors.answer('campaign.pause', { campaign: id });
        moved.push(await move(), await move());
        ends.push([moved, (await doors.stores.campaigns.get(workspaceId, id))?.status]);
      }
      const status = { pause: 'paused', resume: 'live', cancel: 'completed' }[kind];
      expect(ends).toEqual([
        [[false, true, false], status],
        [[false, true, false], status],
      ]);
    },
  );
}

describe('campaigns by both doors', () => onEveryDriver(describeBothDoors));
