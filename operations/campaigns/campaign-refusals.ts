import type { TestRefusal } from './test-mail';
import { domainWarnings } from '../domains/domain-warnings';
import { examineNames } from '../domains/examine-domain';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Block } from '../../domain/campaigns/block';
import type { Campaign } from '../../domain/campaigns/campaign';
import type { StartRefusal } from '../../domain/campaigns/campaign-start';
import { blockFaults, faultSentence } from '../../schemas/campaigns/blocks';
import { COIN_PER_MAIL } from '../../domain/ledger/coins';
import type { CampaignRef } from '../../stores/ports/campaign-runs';
import { reachOf } from '../contacts/audience-reach';
import { domainSetUp } from '../domains/domain-doctor';
import { OperationError, type Session } from '../definition';

type Explained = readonly [problem: string, fix: string];

/** Why a campaign cannot be sent, for the operator: what is wrong, and the command that mends it. */
export function explainRefusal(
  refusal: StartRefusal,
  { workspaceId, id, blocks = null }: CampaignRef & Partial<Pick<Campaign, 'blocks'>>,
): Explained {
  switch (refusal.because) {
    case 'suspended':
      return ['The workspace is suspended', `kurir workspace resume ${workspaceId}`];
    case 'no_business_address':
      return ['Business address is missing', `kurir workspace profile ${workspaceId} --address <address>`];
    case 'domain_inactive':
      return ['The sending domain is not active', 'kurir domain activate <domain>'];
    case 'no_content':
      if (blocks) return ['The campaign is not complete', unwritten(blocks)];
      return ['The campaign has no HTML yet', `kurir campaign edit ${workspaceId} ${id} --html <file>`];
    case 'coins':
      return [
        `Not enough coins: the campaign needs ${refusal.needed}, and the balance is ${refusal.balance}`,
        `kurir coins top-up ${workspaceId} <coins>`,
      ];
    case 'not_approved':
      return [
        'An owner has not approved the campaign yet',
        `kurir campaign ask ${workspaceId} ${id}; then an owner runs kurir campaign approve ${workspaceId} ${id}`,
      ];
    case 'not_startable':
      return ['The campaign is not a draft', `kurir campaign copy ${workspaceId} ${id} makes a draft of it`];
  }
}

/** What is still to be written, in words. */
const unwritten = (blocks: readonly Block[]): string =>
  blocks.length === 0 ? 'add a block' : blockFaults(blocks).map(faultSentence).join('; ');

/** The refusal as an error. */
export function refusalError(refusal: StartRefusal, campaign: Parameters<typeof explainRefusal>[1]): OperationError {
  const [problem, fix] = explainRefusal(refusal, campaign);
  return new OperationError(`${problem}: ${fix}.`, '');
}

/**
 * What `campaign send` would refuse as things are now, and what receivers would, in sentences. The coins are those for
 * the members who can be reached, or for all of an audience that is too large to count. Missing content is a warning of
 * the content.
 */
export async function sendWarnings(session: Session, campaign: Campaign): Promise<string[]> {
  const { stores } = session;
  const { workspaceId, audienceId, domainId } = campaign;
  const [workspace, domain, audience, { balance }] = await Promise.all([
    stores.workspaces.get(workspaceId),
    stores.domains.get(domainId),
    stores.audiences.get(workspaceId, audienceId),
    stores.coins.account(workspaceId),
  ]);
  const [reach] = audience ? await reachOf(session, [audience]) : [0];
  const needed = (reach ?? audience?.contactsCount ?? 0) * COIN_PER_MAIL;
  const refusals: StartRefusal[] = [
    ...(workspace?.businessAddress.trim() ? [] : [{ because: 'no_business_address' } as const]),
    ...(domain?.status === 'active' ? [] : [{ because: 'domain_inactive' } as const]),
    ...(needed <= balance ? [] : [{ because: 'coins', needed, balance } as const]),
  ];
  const refused = refusals.map((refusal) => {
    const [problem, fix] = explainRefusal(refusal, campaign);
    return `campaign send would refuse: ${problem}: ${fix}.`;
  });
  return [...refused, ...(domain?.status === 'active' ? await receiverWarnings(session, domain, campaign) : [])];
}

/** What receivers would refuse; nothing where the sandbox takes the mail. */
async function receiverWarnings(session: Session, domain: SendingDomain, { replyTo }: Campaign): Promise<string[]> {
  if (session.config.mtaUrl === null) return [];
  return domainWarnings({ domain: domain.domain, replyTo }, async () =>
    examineNames({ ...(await domainSetUp(session, domain, replyTo)), patience: { timeout: 1_000, tries: 1 } }),
  );
}

/** Why a test mail was refused, as an error. */
export function testRefusalError(reason: TestRefusal, campaign: Campaign): OperationError {
  const { workspaceId } = campaign;
  switch (reason) {
    case 'inactive_domain':
      return refusalError({ because: 'domain_inactive' }, campaign);
    case 'no_content':
      return refusalError({ because: 'no_content' }, campaign);
    case 'suspended_workspace':
      return suspendedError(workspaceId);
    case 'no_coins':
      return new OperationError(`Not enough coins for one mail: kurir coins top-up ${workspaceId} <coins>.`, '');
    case 'suppressed':
      return new OperationError(
        '<address> is on the suppression list: kurir suppress check <address>.',
        '',
        '<address>',
      );
    case 'unsubscribed':
      return new OperationError('<address> is unsubscribed, bounced or complained: use another one.', '', '<address>');
    default:
      return new OperationError(`The test mail was refused: ${reason}.`, '');
  }
}

/** Nothing is sent for a suspended workspace. */
export const suspendedError = (workspaceId: number): OperationError =>
  new OperationError(`The workspace is suspended: kurir workspace resume ${workspaceId}.`, '');
