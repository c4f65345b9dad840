import type { TestRefusal } from './test-mail';
import { domainWarnings } from '../domains/domain-warnings';
import { examineNames } from '../domains/examine-domain';
import { joined, reasonsOf, type Reason } from '../../lib/reason';
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

/** Why a campaign or its test mail is refused: `fix` is the command that mends it. */
export const campaignReason = reasonsOf({
  no_business_address: ['The business address is missing: {fix}.', 'Alamat bisnis belum diisi: {fix}.'],
  domain_inactive: ['The sending domain is not active: {fix}.', 'Domain pengirim belum aktif: {fix}.'],
  incomplete: ['The campaign is not complete: {fix}.', 'Kampanye ini belum lengkap: {fix}.'],
  no_content: ['The campaign has no HTML yet: {fix}.', 'Kampanye ini belum punya HTML: {fix}.'],
  coins: [
    'Not enough coins: the campaign needs {needed}, and the balance is {balance}: {fix}.',
    'Koin tidak cukup: kampanye ini memerlukan {needed}, dan saldonya {balance}: {fix}.',
  ],
  not_approved: [
    'The campaign needs the approval of an owner: {fix}.',
    'Pemilik belum menyetujui kampanye ini: {fix}.',
  ],
  ask: [
    'kurir campaign ask {of}; then an owner runs kurir campaign approve {of}',
    'kurir campaign ask {of}; lalu pemilik menjalankan kurir campaign approve {of}',
  ],
  not_startable: ['The campaign is not a draft: {fix}.', 'Kampanye ini bukan draf: {fix}.'],
  copy: ['create a draft from it with kurir campaign copy {of}', 'kurir campaign copy {of} membuat draf darinya'],
  add_block: ['add a block', 'tambahkan blok'],
  would_refuse: ['campaign send would refuse it: {reason}', 'campaign send akan menolak: {reason}'],
  no_coins: [
    'Not enough coins to send an email: kurir coins top-up {workspace} <coins>.',
    'Koin tidak cukup untuk mengirim email: kurir coins top-up {workspace} <coins>.',
  ],
  suppressed: [
    '{label} is suppressed: kurir suppress check {label}.',
    '{label} ada di daftar blokir: kurir suppress check {label}.',
  ],
  unsubscribed: [
    '{label} has unsubscribed, bounced or complained: use another one.',
    '{label} berhenti berlangganan, terpental, atau melaporkan spam: pakai yang lain.',
  ],
  test_refused: ['The test email was rejected: {because}.', 'Email uji coba ditolak: {because}.'],
  suspended: [
    'The workspace is suspended: kurir workspace resume {workspace}.',
    'Ruang kerja ini ditangguhkan: kurir workspace resume {workspace}.',
  ],
  // What is no longer as the caller saw it.
  unschedule: ['The campaign is not scheduled.', 'Kampanye ini tidak dijadwalkan.'],
  pause: ['The campaign is not being sent.', 'Kampanye ini tidak sedang dikirim.'],
  resume: ['The campaign is not paused.', 'Kampanye ini tidak sedang dijeda.'],
  cancel: ['The campaign is neither being sent nor paused.', 'Kampanye ini tidak sedang dikirim dan tidak dijeda.'],
  schedule: ['The campaign is neither a draft nor scheduled.', 'Kampanye ini bukan draf dan tidak dijadwalkan.'],
  unknown: ['{label}: campaign {id} has been deleted in the meantime.', '{label}: kampanye {id} sudah dihapus.'],
  changed: ['{label}: campaign {id} has been changed in the meantime.', '{label}: kampanye {id} sudah diubah.'],
  refused: [
    '{label}: campaign {id} is neither a draft nor scheduled.',
    '{label}: kampanye {id} bukan draf dan tidak dijadwalkan.',
  ],
  only_draft: [
    '{label}: campaign {id} is {status}: only a draft can be deleted.',
    '{label}: kampanye {id} berstatus {status}: hanya draf yang bisa dihapus.',
  ],
  not_editable: [
    '{label}: campaign {id} is {status}: only a draft or a scheduled campaign can be edited.',
    '{label}: kampanye {id} berstatus {status}: hanya draf atau kampanye terjadwal yang bisa diubah.',
  ],
  seen: ['{label}: the content has changed in the meantime.', '{label}: isinya sudah berubah.'],
  long_blocks: [
    '{label}: together they have more than {most} characters of HTML.',
    '{label}: semuanya menghasilkan lebih dari {most} karakter HTML.',
  ],
  clear_and_set: ['{label}: {name} is also set by {option}.', '{label}: {name} juga diisi dengan {option}.'],
  other_domain: ['{label}: {email} is not an address at {domain}.', '{label}: {email} bukan alamat di {domain}.'],
});

/** Why a campaign cannot be sent, for the operator: what is wrong, and the command that mends it. */
export function explainRefusal(
  refusal: StartRefusal,
  { workspaceId, id, blocks = null }: CampaignRef & Partial<Pick<Campaign, 'blocks'>>,
): Reason {
  const of = `${workspaceId} ${id}`;
  switch (refusal.reason) {
    case 'suspended':
      return campaignReason(refusal.reason, { workspace: workspaceId });
    case 'no_business_address':
      return campaignReason(refusal.reason, { fix: `kurir workspace profile ${workspaceId} --address <address>` });
    case 'domain_inactive':
      return campaignReason(refusal.reason, { fix: 'kurir domain activate <domain>' });
    case 'no_content':
      if (blocks) return campaignReason('incomplete', { fix: unwritten(blocks) });
      return campaignReason(refusal.reason, { fix: `kurir campaign edit ${of} --html <file>` });
    case 'coins':
      return campaignReason('coins', {
        needed: refusal.needed,
        balance: refusal.balance,
        fix: `kurir coins top-up ${workspaceId} <coins>`,
      });
    case 'not_approved':
      return campaignReason(refusal.reason, { fix: campaignReason('ask', { of }) });
    case 'not_startable':
      return campaignReason(refusal.reason, { fix: campaignReason('copy', { of }) });
  }
}

/** What is still to be written, in words. */
const unwritten = (blocks: readonly Block[]): Reason =>
  blocks.length === 0 ? campaignReason('add_block') : joined(blockFaults(blocks).map(faultSentence), '; ');

/** The refusal as an error. */
export const refusalError = (...of: Parameters<typeof explainRefusal>): OperationError =>
  new OperationError(explainRefusal(...of));

/**
 * What `campaign send` would refuse as things are now, and what receivers would. The coins are those for
 * the members who can be reached, or for all of an audience that is too large to count. Missing content is a warning of
 * the content.
 */
export async function sendWarnings(session: Session, campaign: Campaign): Promise<Reason[]> {
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
    ...(workspace?.businessAddress.trim() ? [] : [{ reason: 'no_business_address' } as const]),
    ...(domain?.status === 'active' ? [] : [{ reason: 'domain_inactive' } as const]),
    ...(needed <= balance ? [] : [{ reason: 'coins', needed, balance } as const]),
  ];
  const refused = refusals.map((refusal) =>
    campaignReason('would_refuse', { reason: explainRefusal(refusal, campaign) }),
  );
  return [...refused, ...(domain?.status === 'active' ? await receiverWarnings(session, domain, campaign) : [])];
}

/** What receivers would refuse; nothing where the sandbox takes the mail. */
async function receiverWarnings(session: Session, domain: SendingDomain, { replyTo }: Campaign): Promise<Reason[]> {
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
      return refusalError({ reason: 'domain_inactive' }, campaign);
    case 'no_content':
      return refusalError({ reason: 'no_content' }, campaign);
    case 'suspended_workspace':
      return suspendedError(workspaceId);
    case 'no_coins':
      return new OperationError(campaignReason('no_coins', { workspace: workspaceId }));
    case 'suppressed':
    case 'unsubscribed':
      return new OperationError(campaignReason(reason, { label: '<address>' }));
    default:
      return new OperationError(campaignReason('test_refused', { because: reason }));
  }
}

/** Nothing is sent for a suspended workspace. */
export const suspendedError = (workspaceId: number): OperationError =>
  new OperationError(campaignReason('suspended', { workspace: workspaceId }));
