import { rate } from '../../domain/engagement/engagement';
import type { CampaignRef } from '../../stores/ports/campaign-runs';
import type { Stores } from '../../stores/ports';

/** The clicks on one link of a campaign. */
export interface LinkRow {
  /** Its place in the mail, from 1; null for clicks whose link is not known. */
  link: number | null;
  /**
   * Where it leads, in one of the mails; without its query where that varies, which may tell of the recipient. Null if
   * not known.
   */
  url: string | null;
  /** It leads elsewhere in other mails: its address has merge tags. */
  varies: boolean;
  clicks: number;
  /** The same without the hits of machines. */
  clicksByPeople: number;
  /** Mails in which a person clicked it. A contact gets a campaign once, so these are people. */
  people: number;
  /** People in percent of delivered mails; null while none is. */
  percent: number | null;
}

/** Recipients whose clicks are read together. */
const PAGE = 1_000;
/** Recipients among whom a mail is looked for that shows the links. */
const LOOKED_AT = 100;

/**
 * The links of a campaign with their clicks, in the order of the mail. Reads its clicks in pages, and keeps only sums.
 * Rejects with UnavailableError.
 */
export async function linkReport(
  stores: Pick<Stores, 'campaignRuns' | 'messages'>,
  campaign: CampaignRef,
): Promise<LinkRow[]> {
  const rows = new Map<number | null, LinkRow>();
  const rowOf = (place: number | null, url: string | null): LinkRow => {
    const link = place === null ? null : place + 1;
    const row = rows.get(link) ?? { link, url, varies: false, clicks: 0, clicksByPeople: 0, people: 0, percent: null };
    rows.set(link, row);
    row.url ??= url;
    return row;
  };
  const see = (place: number | null, url: string | null): LinkRow => {
    const shown = url === null ? null : plain(url);
    const row = rowOf(place, shown);
    row.varies ||= shown !== null && shown !== row.url;
    return row;
  };
  for (const links of await linksOfMails(stores, campaign)) links.forEach((url, place) => see(place, url));
  for (let after: number | null = 0; after !== null;) {
    const { items, last } = await stores.campaignRuns.linkClicks(campaign, after, PAGE);
    for (const { link, url, clicks, clicksByPeople } of items) {
      const row = see(link, url);
      row.clicks += clicks;
      row.clicksByPeople += clicksByPeople;
      if (clicksByPeople > 0) row.people += 1;
    }
    after = last;
  }
  const delivered = (await stores.campaignRuns.progress(campaign))?.counts.delivered ?? 0;
  return [...rows.values()]
    .map((row) => ({
      ...row,
      url: row.varies ? withoutQuery(row.url) : row.url,
      percent: delivered === 0 ? null : rate(row.people, delivered),
    }))
    .sort((a, b) => (a.link ?? Infinity) - (b.link ?? Infinity));
}

/** The links of two mails of the campaign that were handed over, also those that nobody clicked. */
async function linksOfMails(
  { campaignRuns, messages }: Pick<Stores, 'campaignRuns' | 'messages'>,
  campaign: CampaignRef,
): Promise<string[][]> {
  const found: string[][] = [];
  const recipients = await campaignRuns.recipients(campaign, 0, LOOKED_AT);
  for (const { messageId } of recipients) {
    const links = messageId === null ? [] : await messages.links(messageId);
    if (links.length > 0) found.push(links);
    if (found.length === 2) break;
  }
  return found;
}

const withoutQuery = (url: string | null): string | null => url?.replace(/[?#].*$/s, '') ?? null;

/**
 * The destination without the id of the message, which differs in every mail (docs/contract.md#conversion-parameter).
 */
const plain = (url: string): string => url.replace(/[?&]svc_mid=[0-9a-f-]{36}(?=#|$)/, '');
