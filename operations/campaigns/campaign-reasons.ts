import { texts } from '../../domain/texts';

/** A text of the contract as a pattern: `#` in it stands for a number. */
const pattern = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', '(\\d+)')}$`);

/** Each reason that a campaign keeps, and how it reads in English. */
const REASONS: readonly (readonly [RegExp, (...numbers: string[]) => string])[] = [
  [
    pattern(texts.campaignBraked('#', '#')),
    (bad, of) => `paused by itself: ${bad} of the last ${of} mails bounced for good or were reported as spam`,
  ],
  [pattern(texts.businessAddressMissing), () => 'business address is missing'],
  [pattern(texts.domainInactive), () => 'the sending domain is not active'],
  [pattern(texts.campaignContentMissing), () => 'the campaign has no HTML yet'],
  [
    pattern(texts.campaignCoins('#', '#')),
    (needed, balance) => `not enough coins: the campaign needs ${needed}, and the balance is ${balance}`,
  ],
  [pattern(texts.campaignNotApproved), () => 'an owner has not approved the campaign'],
  [pattern(texts.campaignNotDraft), () => 'the campaign is not a draft'],
  [pattern(texts.workspaceSuspended), () => 'the workspace is suspended'],
];

/**
 * Why a campaign paused or was not started, in English: it keeps the contract's own text, which JSON shows. A text that
 * is none of the contract's stays as it is.
 */
export function englishReason(reason: string): string {
  for (const [text, english] of REASONS) {
    const match = text.exec(reason);
    if (match) return english(...match.slice(1));
  }
  return reason;
}
