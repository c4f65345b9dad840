import { createHash } from 'node:crypto';
import { contentOf, type CampaignContent } from '../../domain/campaigns/campaign';

/** What stands for a content, so that nobody approves another one than was seen: 16 hex digits. */
export const contentHash = (content: CampaignContent): string =>
  createHash('sha256')
    .update(JSON.stringify(contentOf(content)))
    .digest('hex')
    .slice(0, 16);
