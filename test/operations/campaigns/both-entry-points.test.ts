import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../../../domain/campaigns/campaign';
import { startCampaign } from '../../../operations/campaigns/start-campaign';
import type { Done } from '../../../operations/perform';
import type { NewWorkspace } from '../../../stores/ports/workspace-store';
import { onEveryDriver } from '../../contract/drivers';
import type { OpenEngine } from '../../contract/harness';
import { addMembers, aCampaign, anAudience } from '../../support/marketing';
import { ACTOR, openBothEntryPoints, type BothEntryPoints } from '../both-entry-points';

/** A draft to two members, in a new workspace. */
async function aDraft(both: BothEntryPoints, profile: Partial<NewWorkspace> = {}): Promise<Campaign> {
  both.account = await both.api.account({ profile: { businessAddress: 'Bandung', ...profile } });
  const { workspace, domain } = both.account;
  const audience = await both.stores.audiences.create(anAudience(workspace.id));
  await addMembers(both.stores, audience, 2);
  return both.stores.campaigns.create(aCampaign({ workspace, domain }, audience.id));
}

const faultOf = (done: Done): string => (done.ok ? '' : done.fault.message);

/** The start and the moves of campaigns by the REST API and by operations. */
function describeBothEntryPoints(open: OpenEngine): void {
  const at = openBothEntryPoints(open);

  // spec: docs/contract.md#send-a-campaign: the approval of an owner is asked for before the fifth, after the others
  it('what is missing is refused in one order, and an approval after the coins', async () => {
    const both = at();
    const { id } = await aDraft(both, { businessAddress: '', campaignApproval: true });
    const send = async () => [
      (await both.rest('post', `/campaigns/${id}/send`)).body.code,
      faultOf(await both.perform('campaign.send', { campaign: id }, 'editor')),
    ];
    expect(await send()).toEqual([
      'business_address_missing',
      expect.stringContaining('The business address is missing'),
    ]);
    await both.stores.workspaces.update(both.workspace.id, { businessAddress: 'Bandung' });
    expect(await send()).toEqual(['campaign_not_approved', expect.stringContaining('needs the approval of an owner')]);
    expect(await both.answer('campaign.send', { campaign: id }, 'owner')).toEqual({ id, status: 'live' });
    expect(await both.stores.campaigns.get(both.workspace.id, id)).toMatchObject({
      approval: { state: 'given', by: ACTOR },
    });
    expect(await send()).toEqual(['campaign_not_draft', expect.stringContaining('not a draft')]);
  });

  it('an owner does not agree to another content than was seen; the trail has the attempt before', async () => {
    const both = at();
    const { stores, api } = both;
    const seen = await aDraft(both, { campaignApproval: true });
    const { workspaceId, id } = seen;
    await stores.campaigns.edit(workspaceId, id, { ...seen, subject: 'Lain' }, null);
    const { operatorLog } = stores;
    const note = (action: string, target: string, of: number | null) =>
      operatorLog.append({ at: api.clock.now(), actor: ACTOR, action, target, workspaceId: of });
    const deps = { stores, clock: api.clock, note };
    expect(await startCampaign(deps, seen, 'draft', ACTOR)).toEqual({ kind: 'changed' });
    expect(await stores.campaigns.get(workspaceId, id)).toMatchObject({ status: 'draft', approval: null });
    expect(await both.trail()).toEqual([{ actor: ACTOR, action: 'campaign send', target: String(id) }]);
  });

  // spec: docs/contract.md#scheduled-campaigns: nothing of a suspended account is started, whoever starts it
  it('a suspended workspace starts and resumes nothing', async () => {
    const both = at();
    const draft = await aDraft(both);
    const { id, ...content } = draft;
    const { workspaceId } = draft;
    await both.answer('campaign.send', { campaign: id });
    await both.answer('campaign.pause', { campaign: id });
    const another = await both.stores.campaigns.create(content);
    await both.stores.workspaces.update(workspaceId, { suspended: true });
    const suspended = `The workspace is suspended: kurir workspace resume ${workspaceId}.`;
    expect((await both.rest('post', `/campaigns/${id}/resume`)).body.code).toBe('workspace_suspended');
    expect(faultOf(await both.perform('campaign.resume', { campaign: id }))).toBe(suspended);
    expect((await both.rest('post', `/campaigns/${another.id}/send`)).body.code).toBe('workspace_suspended');
    expect(faultOf(await both.perform('campaign.send', { campaign: another.id }))).toBe(suspended);
    const deps = { stores: both.stores, clock: both.api.clock };
    expect(await startCampaign(deps, another)).toEqual({ kind: 'refused', reason: 'suspended' });
  });

  // spec: docs/contract.md#campaign-after-the-start: both entry points
  it.each(['pause', 'resume', 'cancel'] as const)(
    '%s moves it alike, and is refused alike in another state',
    async (kind) => {
      const both = at();
      const ends = [];
      for (const by of ['rest', 'operation'] as const) {
        const { id, workspaceId } = await aDraft(both);
        const move = async () => {
          if (by === 'operation') return (await both.perform(`campaign.${kind}`, { campaign: id })).ok;
          return (await both.rest('post', `/campaigns/${id}/${kind}`)).status === 200;
        };
        const moved = [await move()];
        await both.answer('campaign.send', { campaign: id });
        if (kind === 'resume') await both.answer('campaign.pause', { campaign: id });
        moved.push(await move(), await move());
        ends.push([moved, (await both.stores.campaigns.get(workspaceId, id))?.status]);
      }
      const status = { pause: 'paused', resume: 'live', cancel: 'completed' }[kind];
      expect(ends).toEqual([
        [[false, true, false], status],
        [[false, true, false], status],
      ]);
    },
  );
}

describe('campaigns by both entry points', () => onEveryDriver(describeBothEntryPoints));
