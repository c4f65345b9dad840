import { describe, expect, it } from '@jest/globals';
import { storedReason } from '../../../operations/campaigns/stored-reason';
import { texts } from '../../../domain/texts';

describe('storedReason', () => {
  it.each([
    [
      texts.campaignBraked(26, 500),
      'paused automatically: 26 of the last 500 emails hard bounced or were reported as spam',
    ],
    [texts.campaignCoins(12, 3), 'not enough coins: the campaign needs 12, and the balance is 3'],
    [texts.campaignCoins(12, -4), 'not enough coins: the campaign needs 12, and the balance is -4'],
    [texts.businessAddressMissing, 'business address is missing'],
    [texts.domainInactive, 'the sending domain is not active'],
    [texts.campaignContentMissing, 'the campaign has no HTML yet'],
    [texts.campaignNotApproved, 'the campaign needs the approval of an owner'],
    [texts.campaignNotDraft, 'the campaign is not a draft'],
    [texts.workspaceSuspended, 'the workspace is suspended'],
    ['something else, 5 of {0}', 'something else, 5 of {0}'],
    [`${texts.campaignCoins(12, 3)} `, `${texts.campaignCoins(12, 3)} `],
  ])('%s', (text, english) => {
    expect(storedReason(text).in('en')).toBe(english);
    expect(storedReason(text).in('id')).toBe(text);
  });
});
