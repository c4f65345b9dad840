import { texts } from '../../domain/texts';
import { Reason, type Sentence } from '../../lib/reason';

/** Each reason that a campaign keeps, with the contract's own text; `{0}` stands for its first number. */
const STORED: Readonly<Record<string, Sentence>> = {
  braked: [
    'paused automatically: {0} of the last {1} emails hard bounced or were reported as spam',
    texts.campaignBraked('{0}', '{1}'),
  ],
  no_business_address: ['business address is missing', texts.businessAddressMissing],
  domain_inactive: ['the sending domain is not active', texts.domainInactive],
  no_content: ['the campaign has no HTML yet', texts.campaignContentMissing],
  coins: ['not enough coins: the campaign needs {0}, and the balance is {1}', texts.campaignCoins('{0}', '{1}')],
  not_approved: ['the campaign needs the approval of an owner', texts.campaignNotApproved],
  not_startable: ['the campaign is not a draft', texts.campaignNotDraft],
  suspended: ['the workspace is suspended', texts.workspaceSuspended],
};

/**
 * Why a campaign paused or was not started, of the contract's own text, which it keeps and JSON shows. A text that is
 * none of the contract's is the same in both languages.
 */
export function storedReason(text: string): Reason {
  const numbers = Object.fromEntries((text.match(/-?\d+/g) ?? []).entries());
  const all = Object.entries(STORED).map(([code, sentence]) => new Reason(code, sentence, numbers));
  return all.find((reason) => reason.in('id') === text) ?? new Reason('other', [text, text]);
}
