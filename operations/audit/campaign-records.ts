import type { CampaignRecord } from '../../domain/audit/check-campaign';
import { tallyOf, type TallyRecord } from '../../domain/audit/check-campaign-tally';
import { DRIVE_WORK, START_WORK } from '../../domain/campaigns/campaign-moves';
import { addTallies, NO_TALLY } from '../../domain/campaigns/campaign-tally';
import type { AuditRows, AuditSnapshot, MailRow } from '../../stores/ports/audit-source';
import { byKey, countIn, find, grouped } from './rows';

/** The campaigns of a workspace with what is stored about their runs. */
export async function* campaignRecords(rows: AuditSnapshot, workspaceId: number): AsyncGenerator<CampaignRecord[]> {
  for await (const page of rows.scan('campaigns', workspaceId)) {
    for (const campaign of page) yield [await recordOf(rows, campaign)];
  }
}

async function recordOf(
  rows: AuditSnapshot,
  { id, status, sentAt, run }: AuditRows['campaigns'],
): Promise<CampaignRecord> {
  const kind = status === 'scheduled' ? START_WORK : DRIVE_WORK;
  const work = await find(rows, 'tasks', 'key', [[kind, String(id)]]);
  const manifest = await readManifest(rows, id);
  const mails = await readMails(rows, id);
  return { id, status, sentAt, run, ...manifest, ...mails, hasWork: work.length > 0 };
}

async function readManifest(
  rows: AuditSnapshot,
  campaignId: number,
): Promise<Pick<CampaignRecord, 'rows' | 'unmatched'>> {
  const states = new Map<string, number>();
  let unmatched = 0;
  for await (const page of rows.scan('recipients', campaignId)) {
    for (const { state } of page) countIn(states, state);
    const made = page.filter(({ state }) => state === 'message');
    const ids = made.map(({ messageId }) => messageId);
    const mails = byKey(await find(rows, 'mails', 'id', ids), ({ id }) => id);
    const isMatched = ({ messageId, contactId }: (typeof made)[number]): boolean => {
      const mail = mails.get(messageId ?? '');
      return mail?.lane === 'campaign' && mail.campaignId === campaignId && mail.contactId === contactId;
    };
    unmatched += made.filter((row) => !isMatched(row)).length;
  }
  return { rows: Object.fromEntries(states), unmatched };
}

async function readMails(rows: AuditSnapshot, campaignId: number): Promise<Pick<CampaignRecord, 'messages' | 'tally'>> {
  const statuses = new Map<string, number>();
  const [stored = NO_TALLY] = await find(rows, 'tallies', 'campaignId', [campaignId]);
  let tally: TallyRecord = { stored, least: NO_TALLY, most: NO_TALLY };
  for await (const page of rows.find('mails', 'campaignId', [campaignId])) {
    for (const { status } of page) countIn(statuses, status);
    tally = await addSignals(rows, tally, page);
  }
  return { messages: Object.fromEntries(statuses), tally };
}

async function addSignals(
  rows: AuditSnapshot,
  { stored, least, most }: TallyRecord,
  mails: readonly MailRow[],
): Promise<TallyRecord> {
  const contactIds = mails.map(({ contactId }) => contactId);
  const present = new Set((await find(rows, 'contacts', 'id', contactIds)).map(({ id }) => id));
  const contactOf = new Map(mails.map(({ id, contactId }) => [id, contactId]));
  const signals = await find(rows, 'signals', 'messageId', [...contactOf.keys()]);
  for (const [messageId, ofMail] of grouped(signals, (signal) => signal.messageId)) {
    const tally = tallyOf(ofMail);
    const { opens, clicks } = tally;
    const isPresent = present.has(contactOf.get(messageId) ?? -1);
    if (isPresent) least = addTallies(least, tally);
    most = addTallies(most, isPresent ? tally : { ...tally, opensByPeople: opens, clicksByPeople: clicks });
  }
  return { stored, least, most };
}
