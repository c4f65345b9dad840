import { DOMAIN_CATEGORIES, type DomainMail } from '../domain/settings/sending-domain';
import type { VerbSpec } from './support/command';
import { mailWords, presentDomain } from './support/domain-view';
import { CommandError, UsageError } from './support/errors';
import { oneOf, onOff, reference } from './support/input';
import { findDomain } from './support/lookups';

/** The change applied; what marketing mail has cannot be switched off. */
function changed(now: DomainMail, change: Partial<DomainMail>): DomainMail {
  const category = change.category ?? now.category;
  if (category === 'transactional') return { category, trackClicks: change.trackClicks ?? now.trackClicks };
  if (change.trackClicks === undefined) return { category, trackClicks: false };
  throw new CommandError(
    '--track-clicks is for transactional domains: the links of marketing mail are always tracked.',
    'Give --category transactional with it.',
    '--track-clicks',
  );
}

/** `kurir domain set` (docs/contract.md#transactional-mail). */
export const setMail: VerbSpec = {
  name: 'set',
  summary: 'what the mail of a domain is: marketing (the default) or transactional',
  args: [['<domain>', 'id or name']],
  options: [
    ['--category <category>', 'transactional or marketing'],
    ['--track-clicks <state>', 'on or off: track the links of transactional mail; off by default'],
  ],
  examples: [
    ['domain set mail.tokomelati.example --category transactional', 'password resets and receipts'],
    ['domain set mail.tokomelati.example --track-clicks on', 'with tracked links'],
    ['domain set mail.tokomelati.example --category marketing', 'back to the default'],
  ],
  notes:
    'Mail of a transactional domain has no footer, no open pixel and no unsubscribe headers, and reaches contacts that ' +
    'unsubscribed. Campaigns and journeys are marketing from any domain. Mail that was accepted before stays what it was.',
  run: (input) => {
    const ref = input.arg('domain', reference);
    const category = input.option('category', oneOf(...DOMAIN_CATEGORIES));
    const trackClicks = input.option('trackClicks', onOff);
    const change = { ...(category !== undefined && { category }), ...(trackClicks !== undefined && { trackClicks }) };
    if (Object.keys(change).length === 0) {
      throw new UsageError('Nothing to change.', 'Give --category or --track-clicks.');
    }
    return async (session) => {
      const domain = await findDomain(session.stores, ref);
      const after = { ...domain, ...changed(domain, change) };
      await session.note('domain set', `${domain.domain}: ${mailWords(after)}`, domain.workspaceId);
      await session.stores.domains.setMail(domain.id, after);
      return { text: `${domain.domain} is ${mailWords(after)}\n`, json: presentDomain(after) };
    };
  },
};
