import { PENALTY_COINS } from '../../../domain/ledger/coins';
import { texts } from '../../../domain/texts';
import type { Stores } from '../../../stores/ports';
import type { CampaignProgress, CampaignRecipient, CampaignRef } from '../../../stores/ports/campaign-runs';
import type { Installation } from '../installation';
import type { Sender } from '../seed';
import { SINK_BEHAVIOURS, type Kind } from '../sink/behaviour';
import { readJournal } from '../sink/journal';
import { countSkipped, person } from './people';

export interface CampaignVerdict {
  /** Everything that is wrong. */
  faults: string[];
  /** Mails the sink took. */
  taken: number;
  /** Recipients whose mail the sink did not take, because a process died before its first byte. */
  neverSent: number;
  skipped: Record<string, number>;
}

export interface CampaignEvidence {
  installation: Installation;
  journal: string;
  sender: Sender;
  campaign: CampaignRef;
  contacts: number;
}

const PAGE = 1_000;
/** Faults of one kind that are shown. */
const SHOWN = 10;

/**
 * Compares the manifest and the coins of the stopped service with the contacts that there were and what the sink
 * received.
 */
export async function judgeCampaign(evidence: CampaignEvidence): Promise<CampaignVerdict> {
  const { installation, journal, sender, campaign, contacts } = evidence;
  const mails = readMails(journal);
  const engine = await installation.open();
  try {
    const { stores } = engine;
    const rows = await readRows(stores, campaign);
    const wrong = [...rows.values()].flatMap((row) => judgeRow(row, mails));
    const strangers = [...mails.byAddress.keys()].filter((to) => !rows.has(to));
    const missing = Array.from({ length: contacts }, (_, n) => person(n).email).filter((email) => !rows.has(email));
    const progress = await stores.campaignRuns.progress(campaign);
    const { balance } = await stores.coins.account(sender.workspaceId);
    return {
      faults: [
        ...some(mails.faults),
        ...some(wrong),
        ...some(missing.map((email) => `${email} is not in the manifest`)),
        ...some(strangers.map((to) => `${to} got a mail, and is not in the manifest`)),
        ...judgeCounts(progress, rows.size, contacts),
        ...judgeCoins(sender.coins - balance, [...rows.values()]),
      ],
      taken: mails.byAddress.size,
      neverSent: [...rows.values()].filter(({ reason }) => reason === texts.noRecord).length,
      skipped: skippedBy([...rows.values()]),
    };
  } finally {
    await engine.close();
  }
}

interface Mails {
  /** The message ids that each address got. */
  byAddress: Map<string, string[]>;
  faults: string[];
}

function readMails(journal: string): Mails {
  const mails: Mails = { byAddress: new Map(), faults: [] };
  for (const entry of readJournal(journal)) {
    if (entry.what === 'report') {
      if (!entry.reply.startsWith('2')) mails.faults.push(`a report of ${entry.messageId} got ${entry.reply}`);
      continue;
    }
    mails.byAddress.set(entry.to, [...(mails.byAddress.get(entry.to) ?? []), entry.messageId]);
    if (entry.fault !== null) mails.faults.push(`${entry.to}: ${entry.fault}`);
  }
  return mails;
}

async function readRows({ campaignRuns }: Stores, campaign: CampaignRef): Promise<Map<string, CampaignRecipient>> {
  const rows = new Map<string, CampaignRecipient>();
  for (let after = 0; ;) {
    const page = await campaignRuns.recipients(campaign, after, PAGE);
    for (const row of page) rows.set(row.email ?? `contact ${row.contactId}`, row);
    if (page.length < PAGE) return rows;
    after = page.at(-1)!.contactId;
  }
}

/** One mail to each who qualifies, none to the others, and an end that fits what the sink did. */
function judgeRow(row: CampaignRecipient, { byAddress }: Mails): string[] {
  const email = row.email ?? '';
  const { skipped, kind } = person(Number(/\+(\d+)@/.exec(email)?.[1]));
  const got = byAddress.get(email) ?? [];
  const [first] = got;
  const found = `${email} is ${row.status}, reason ${row.reason ?? 'none'}, and got ${got.length} mails`;
  if (skipped !== null) {
    const right = row.status === 'skipped' && row.reason === skipped && got.length === 0;
    return right ? [] : [`${found}, and should be skipped as ${skipped}`];
  }
  if (first === undefined) return mayLackMail(row, kind) ? [] : [found];
  const { ends } = SINK_BEHAVIOURS[kind];
  const right = got.length === 1 && row.status === ends && first === row.messageId;
  return right ? [] : [`${found}, and should be ${ends}, with one`];
}

/** Between the fence and the first byte a death cannot be told from one after the last; the mail is not sent again. */
const mayLackMail = ({ status, reason }: CampaignRecipient, kind: Kind): boolean =>
  status === 'failed' && (kind === 'reject' || reason === texts.noRecord);

function judgeCounts(progress: CampaignProgress | null, rows: number, contacts: number): string[] {
  if (!progress) return ['the campaign is gone'];
  const { campaign, counts } = progress;
  const skipped = [...countSkipped(contacts).values()].reduce((sum, n) => sum + n, 0);
  const right =
    campaign.status === 'completed' &&
    campaign.recipients === contacts - skipped &&
    counts.recipients === contacts &&
    rows === contacts &&
    counts.skipped === skipped &&
    counts.pending + counts.inHand === 0;
  return right ? [] : [`the campaign is ${campaign.status}, with ${rows} rows and ${JSON.stringify(counts)}`];
}

/** One coin for delivered or bounced, four more for a hard bounce or a complaint. */
function judgeCoins(spent: number, rows: readonly CampaignRecipient[]): string[] {
  const handedOver = rows.filter(({ status }) => status === 'delivered' || status === 'bounced');
  const bad = handedOver.filter(({ email }) => email?.startsWith('hardbounce') || email?.startsWith('complaint'));
  const due = handedOver.length + bad.length * PENALTY_COINS;
  return spent === due ? [] : [`${spent} coins were spent, and should be ${due}`];
}

function skippedBy(rows: readonly CampaignRecipient[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, reason } of rows) {
    if (status === 'skipped') counts[reason ?? ''] = (counts[reason ?? ''] ?? 0) + 1;
  }
  return counts;
}

const some = (faults: readonly string[]): string[] =>
  faults.length > SHOWN ? [...faults.slice(0, SHOWN), `and ${faults.length - SHOWN} more like the last`] : [...faults];
