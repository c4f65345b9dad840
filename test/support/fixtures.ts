import { MAX_WEBHOOKS } from '../../domain/webhooks/webhook';
import { eventId } from '../../domain/webhooks/webhook-delivery';
import type { NewCampaign } from '../../stores/ports/campaign-store';
import { at, present } from '../contract/helpers';
import { aContact, aSignal, aSuppression, aWebhook, nextSerial } from './builders';
import { aCampaign, aConversion, aJourney, anAudience } from './marketing';
import type { Account, TestApi } from './test-api';

/** The kinds of records of a workspace that have an id. */
export type Kind =
  | 'domain'
  | 'contact'
  | 'message'
  | 'webhook'
  | 'audience'
  | 'campaign'
  | 'liveCampaign'
  | 'pausedCampaign'
  | 'journey'
  | 'delivery'
  | 'event'
  | 'conversion'
  | 'suppression'
  | 'template';

/** Records of one workspace, each created on first use. */
export class WorkspaceFixtures {
  private readonly made = new Map<Kind, Promise<string>>();

  constructor(
    private readonly api: TestApi,
    readonly account: Account,
  ) {}

  /** The id, as in a path. */
  id(kind: Kind): Promise<string> {
    const known = this.made.get(kind);
    const made = known ?? this.make(kind);
    if (!known) this.made.set(kind, made);
    return made;
  }

  private async make(kind: Kind): Promise<string> {
    return String(await this[kind]());
  }

  private get workspaceId(): number {
    return this.account.workspace.id;
  }

  private domain(): Promise<number> {
    return Promise.resolve(this.account.domain.id);
  }

  private async contact(): Promise<number> {
    return (await this.api.stores.contacts.ensure(aContact(this.workspaceId, { name: 'Sari' }))).id;
  }

  /** Sent to the contact, so that all records of a workspace are linked. */
  private async message(): Promise<string> {
    const { email } = present(await this.api.stores.contacts.get(this.workspaceId, Number(await this.id('contact'))));
    const { status, body } = await this.api.send(this.account, { to: email, subject: `Pesanan ${nextSerial()}` });
    if (status !== 201) throw new Error(`POST /messages answered ${status}`);
    return body.message_id;
  }

  private async webhook(): Promise<number> {
    return present(await this.api.stores.webhooks.create(aWebhook(this.workspaceId), MAX_WEBHOOKS)).id;
  }

  /** The delivery of the event to the webhook. */
  private async delivery(): Promise<string> {
    await this.id('event');
    const { items } = await this.api.stores.deliveries.list(Number(await this.id('webhook')), { offset: 0, limit: 1 });
    return at(items, 0).id;
  }

  /** Of the message, for the webhook. */
  private async event(): Promise<string> {
    await this.id('webhook');
    const occurredAt = this.api.clock.now();
    const facts = { messageId: await this.id('message'), event: 'delivered', occurredAt, reason: null } as const;
    const id = eventId(facts);
    await this.api.stores.deliveries.fanOut({ ...facts, workspaceId: this.workspaceId, link: null, id }, occurredAt);
    return id;
  }

  /** With the contact as its member. */
  private async audience(): Promise<number> {
    const { audiences } = this.api.stores;
    const { id } = await audiences.create(anAudience(this.workspaceId));
    const contactId = Number(await this.id('contact'));
    await audiences.join(this.workspaceId, id, { contactId }, this.api.clock.now());
    return id;
  }

  /** Linked to a click of the message. */
  private async conversion(): Promise<string> {
    const { conversions, signals } = this.api.stores;
    const message = await this.id('message');
    const now = this.api.clock.now();
    await signals.store(aSignal(message, { kind: 'click', link: 0, at: now }), this.workspaceId, []);
    const sale = aConversion(this.workspaceId, { messageId: message, occurredAt: now });
    await conversions.accept(sale);
    await conversions.link(sale.id);
    return sale.id;
  }

  /** The address of an entry made by hand: that of a contact, which is not the one that messages go to. */
  private async suppression(): Promise<string> {
    const { email, emailHash } = await this.api.stores.contacts.ensure(aContact(this.workspaceId));
    await this.api.stores.suppressions.add(aSuppression({ workspaceId: this.workspaceId, addressHash: emailHash }));
    return email;
  }

  private async campaign(overrides: Partial<NewCampaign> = {}): Promise<number> {
    const audienceId = Number(await this.id('audience'));
    const { id } = await this.api.stores.campaigns.create(aCampaign(this.account, audienceId, overrides));
    return id;
  }

  private liveCampaign(): Promise<number> {
    return this.campaign({ status: 'live' });
  }

  private pausedCampaign(): Promise<number> {
    return this.campaign({ status: 'paused' });
  }

  private async template(): Promise<number> {
    const createdAt = this.api.clock.now();
    const content = { subject: 's', html: '<p>h</p>', text: null, variables: [] };
    const name = `Templat ${nextSerial()}`;
    return (await this.api.stores.templates.create({ workspaceId: this.workspaceId, name, ...content, createdAt })).id;
  }

  /** A journey that a caller may enroll contacts into. */
  private async journey(): Promise<number> {
    const { id } = await this.api.stores.journeys.create(aJourney(this.workspaceId));
    return id;
  }
}
