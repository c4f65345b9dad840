import { v7 as uuidv7 } from 'uuid';
import { campaignMessageId } from '../../domain/campaigns/campaign-run';
import { NO_TALLY, type CampaignTally } from '../../domain/campaigns/campaign-tally';
import { activitiesOf, lastActivity, NO_ACTIVITY, rollUp, type RollUp } from '../../domain/engagement/engagement';
import { acceptedMessage, type MessageFacts } from '../../domain/messages/message';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import { SOME_FACTS } from '../../test/support/message';
import { endingOf, PlayedMessage, type Ending } from './played-message';

/** How much the workspace holds. */
export interface ShopSize {
  messages: number;
  contacts: number;
  campaigns: number;
}

/** The workspace whose screens are requested. */
export const SHOP = 1;
/** The mails are spread evenly over this time. */
const SPAN = 90 * DAY;
/** Six in ten mails are of campaigns, the others come through the API. */
const OF_CAMPAIGNS = 0.6;
/** The first campaign has this share of the mails of campaigns. */
const FIRST = 0.2;
/** Every so many campaigns, one is a draft. */
const DRAFT_EVERY = 20;
const LARGEST = 1;
/** Mails that were handed over in this time wait for their report. */
const UNREPORTED = 3 * DAY;

/** An open or click of a mail. */
export interface ShopSignal {
  id: string;
  messageId: string;
  kind: 'open' | 'click';
  at: number;
  contactId: number;
  machine: null;
}

/** A mail with everything a store keeps about it. */
export interface ShopMail {
  played: PlayedMessage;
  signals: readonly ShopSignal[];
}

/** A campaign, and what its mails add up to. */
export interface ShopCampaign {
  /** 0 until the store has given one. */
  id: number;
  /** Null: a draft. */
  sentAt: number | null;
  mails: number;
  tally: CampaignTally;
}

export const emailOf = (contact: number): string => `pelanggan${contact}@contoh.example`;

/**
 * 90 days of one workspace: campaigns, of which the first is the largest, and mails through the
 * API with metadata. They end as those of the audit's bench; of those delivered a third is opened, and a tenth
 * clicked.
 */
export class Shop {
  readonly campaigns: readonly ShopCampaign[];
  /** Opens and clicks of each contact, once the mails were made. */
  readonly signals = new Map<number, ShopSignal[]>();

  constructor(
    readonly size: ShopSize,
    readonly now: number,
    /** The id of the first contact; the others follow it. */
    private readonly firstContact: number,
  ) {
    const total = Math.floor(size.messages * OF_CAMPAIGNS);
    const first = Math.min(Math.floor(total * FIRST), size.contacts);
    const sent = size.campaigns - Math.ceil(size.campaigns / DRAFT_EVERY);
    const each = Math.min(Math.floor((total - first) / (sent - 1)), size.contacts);
    let place = 0;
    this.campaigns = Array.from({ length: size.campaigns }, (_, n): ShopCampaign => {
      const isDraft = n % DRAFT_EVERY === 0;
      const mails = isDraft ? 0 : n === LARGEST ? first : each;
      const sentAt = isDraft ? null : this.start + Math.floor((place / size.messages) * SPAN);
      place += mails / OF_CAMPAIGNS;
      return { id: 0, sentAt, mails, tally: { ...NO_TALLY } };
    });
  }

  get start(): number {
    return this.now - SPAN - HOUR;
  }

  get largest(): ShopCampaign {
    return this.campaigns[LARGEST]!;
  }

  /** Mails in the order of their acceptance; once. The tallies of the campaigns are complete after the last. */
  *mails(): Generator<ShopMail> {
    const queue = this.ofCampaigns();
    for (let n = 0; n < this.size.messages; n += 1) {
      const at = this.start + Math.floor((n / this.size.messages) * SPAN);
      const next = n % 10 < OF_CAMPAIGNS * 10 ? queue.next() : null;
      const [facts, campaign] = next && !next.done ? next.value : [this.ofApi(n, at), null];
      const played = new PlayedMessage(acceptedMessage({ ...facts, createdAt: at }, null)).play(
        this.ending(n, at, campaign),
      );
      const signals = [...signalsOf(played, n)];
      if (signals.length > 0) this.note(facts.contactId, campaign, signals);
      yield { played, signals };
    }
  }

  /** The roll-ups of every contact with an open or click. */
  *rollUps(): Generator<[contactId: number, row: RollUp]> {
    for (const [id, signals] of this.signals) for (const row of rollUp(activitiesOf(signals))) yield [id, row];
  }

  private note(contactId: number, campaign: ShopCampaign | null, signals: readonly ShopSignal[]): void {
    const known = this.signals.get(contactId);
    if (known) known.push(...signals);
    else this.signals.set(contactId, [...signals]);
    if (!campaign) return;
    campaign.tally.opens += 1;
    campaign.tally.opensByPeople += 1;
    if (signals.length === 1) return;
    campaign.tally.clicks += 1;
    campaign.tally.clicksByPeople += 1;
  }

  /** The campaigns are over: all of their mails were reported on. */
  private ending(n: number, at: number, campaign: ShopCampaign | null): Ending {
    const ending = endingOf(n);
    if (ending !== 'noRecord' && ending !== 'late' && ending !== 'sent') return ending;
    if (at <= this.now - UNREPORTED) return 'noRecord';
    return campaign ? 'delivered' : 'sent';
  }

  private *ofCampaigns(): Generator<[MessageFacts, ShopCampaign]> {
    for (const campaign of this.campaigns) {
      const { id, sentAt, mails } = campaign;
      for (let n = 0; n < mails; n += 1) {
        if (sentAt === null) throw new Error('A draft has no mails.');
        const contactId = this.contact(id * 37 + n);
        const subject = `Promo ${id}: diskon untuk Anda`;
        const facts = this.facts(campaignMessageId({ id, sentAt }, contactId), contactId, subject);
        yield [{ ...facts, channel: 'app', lane: 'campaign', campaignId: id }, campaign];
      }
    }
  }

  private ofApi(n: number, at: number): MessageFacts {
    const metadata = { order_no: `INV-${n}`, cabang: n % 7 };
    return { ...this.facts(uuidv7({ msecs: at }), this.contact(n * 7_919), `Pesanan INV-${n} dikirim`), metadata };
  }

  private facts(id: string, contactId: number, subject: string): MessageFacts {
    const to = emailOf(contactId - this.firstContact);
    const from = { fromEmail: 'no-reply@w1.bench.example', fromName: 'Toko' };
    return { ...SOME_FACTS, ...from, id, contactId, to, toText: to, subject, workspaceId: SHOP };
  }

  private contact(n: number): number {
    return this.firstContact + (n % this.size.contacts);
  }
}

/** Of ten delivered mails three are opened, and one of these is clicked. */
function* signalsOf({ message }: PlayedMessage, n: number): Generator<ShopSignal> {
  const kind = n % 10;
  if (message.status !== 'delivered' || kind % 3 !== 1) return;
  const { id: messageId, contactId, createdAt } = message;
  const signal = (what: 'open' | 'click', at: number): ShopSignal => ({
    id: `${what}-${n}`,
    messageId,
    kind: what,
    at,
    contactId,
    machine: null,
  });
  yield signal('open', createdAt + (1 + (n % 600)) * MINUTE);
  if (kind === 1) yield signal('click', createdAt + (2 + (n % 600)) * MINUTE);
}

/** When a mail was last opened and clicked, ms. */
export const lastOf = (signals: readonly ShopSignal[]) => signals.reduce(lastActivity, NO_ACTIVITY);
