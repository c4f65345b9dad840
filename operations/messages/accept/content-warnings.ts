import type { MessageBody } from '../../../domain/messages/message';
import type { SendingDomain } from '../../../domain/settings/sending-domain';
import { looksTransactional } from '../../../domain/messages/transactional-content';
import { unknownTagsWarning } from '../../../email/check-content';

interface Content {
  domain: Pick<SendingDomain, 'domain' | 'category'>;
  subject: string;
  body: MessageBody;
}

/** What a caller should look at in the content of a mail (docs/contract.md#warnings-for-content). None stops it. */
export function contentWarnings({ domain, subject, body: { html, text, variables } }: Content): string[] {
  // Those of a template were checked when it was stored.
  const tags = variables === undefined ? unknownTagsWarning([subject, html, text]).map(String) : [];
  const kind = domain.category === 'marketing' ? looksTransactional(subject, html) : null;
  return [...tags, ...(kind === null ? [] : [marketingWarning(kind, domain.domain)])];
}

const marketingWarning = (kind: string, domain: string): string =>
  `This looks like ${kind}, and ${domain} is a domain for marketing: links are tracked, there is a footer to ` +
  'unsubscribe, and contacts that did are refused. Send it from a transactional domain (`category` in GET /domains).';
