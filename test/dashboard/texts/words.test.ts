import { expect, it } from '@jest/globals';
import { LANGUAGES, textsOf } from '../../../dashboard/texts/texts';
import { wordOf } from '../../../dashboard/texts/word-of';
import { BOUNCE_CLASSES } from '../../../domain/bounces/bounce-class';
import { CAMPAIGN_STATUSES } from '../../../domain/campaigns/campaign';
import { SKIP_REASONS } from '../../../domain/campaigns/campaign-start';
import { CONTACT_STATUSES } from '../../../domain/contacts/contact';
import { SUPPRESSION_REASONS } from '../../../domain/contacts/suppression';
import { MACHINE_REASONS } from '../../../domain/engagement/machine-reason';
import { SIGNAL_KINDS } from '../../../domain/engagement/signal';
import { LEDGER_KINDS } from '../../../domain/ledger/coins';
import { CHANNELS, LANES, MESSAGE_STATUSES } from '../../../domain/messages/message';
import { DELIVERY_STATES } from '../../../domain/webhooks/webhook-delivery';

const WORDS = [
  ...[...CAMPAIGN_STATUSES, ...CONTACT_STATUSES, ...MESSAGE_STATUSES, ...DELIVERY_STATES, ...SUPPRESSION_REASONS],
  ...[...SIGNAL_KINDS, ...LEDGER_KINDS, ...LANES, ...BOUNCE_CLASSES],
  ...[...SKIP_REASONS, ...MACHINE_REASONS, ...CHANNELS],
];

it.each(LANGUAGES)('each word that operations answer is said in %s', (language) => {
  const t = textsOf(language);
  const key = (word: string): string => `word_${word}`.replace(/_(\w)/g, (_, first: string) => first.toUpperCase());
  expect(WORDS.filter((word) => !Object.hasOwn(t, key(word)))).toEqual([]);
  expect(wordOf(t, 'pending_dns')).toBe(t.wordPendingDns);
  expect(wordOf(t, 'schedule or retry')).toBe(t.wordScheduleOrRetry);
  expect(wordOf(t, 'a word of tomorrow')).toBe('a word of tomorrow');
});
