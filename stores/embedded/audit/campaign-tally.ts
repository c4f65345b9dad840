import type { TallyRecord } from '../../../domain/audit/check-campaign-tally';
import { addTallies, NO_TALLY, type CampaignTally } from '../../../domain/campaigns/campaign-tally';
import type { ReadOnlyFile } from './read-only-file';

/** The tally of a campaign, and what its signals add up to. */
export function readTally(file: ReadOnlyFile, campaignId: number): TallyRecord {
  const stored = file.get<CampaignTally>(
    `SELECT opens, clicks, unsubscribes, opens_by_people AS opensByPeople, clicks_by_people AS clicksByPeople
     FROM campaigns WHERE id = ?`,
    campaignId,
  );
  const sums = file.all<CampaignTally & { present: 0 | 1 }>(
    `SELECT present, sum(opened) AS opens, sum(clicked) AS clicks, sum(ended) AS unsubscribes,
       sum(openedByPerson) AS opensByPeople, sum(clickedByPerson) AS clicksByPeople
     FROM (SELECT c.id IS NOT NULL AS present, max(s.kind IN ('open', 'click')) AS opened, max(s.kind = 'click') AS clicked,
         max(s.kind = 'unsubscribe') AS ended,
         max(s.kind IN ('open', 'click') AND s.machine IS NULL) AS openedByPerson,
         max(s.kind = 'click' AND s.machine IS NULL) AS clickedByPerson
       FROM messages m CROSS JOIN signals s ON s.message_id = m.id LEFT JOIN contacts c ON c.id = m.contact_id
       WHERE m.lane = 'campaign' AND m.campaign_id IS NOT NULL AND m.campaign_id = ? GROUP BY m.seq)
     GROUP BY present`,
    campaignId,
  );
  const ofPresent = sums.find(({ present }) => present === 1) ?? NO_TALLY;
  const ofDeleted = sums.find(({ present }) => present === 0) ?? NO_TALLY;
  const { opens, clicks } = ofDeleted;
  const possible = { ...ofDeleted, opensByPeople: opens, clicksByPeople: clicks };
  return { stored: stored ?? NO_TALLY, least: addTallies(ofPresent, NO_TALLY), most: addTallies(ofPresent, possible) };
}
