import { NEW_CAMPAIGN } from '../../domain/campaigns/campaign';
import type { Contact } from '../../domain/contacts/contact';
import type { Conversion } from '../../domain/conversions/conversion';
import type { Stores } from '../../stores/ports';
import type { NewAudience } from '../../stores/ports/audience-store';
import type { NewCampaign } from '../../stores/ports/campaign-store';
import type { NewContact } from '../../stores/ports/contact-store';
import type { NewEnrollment } from '../../stores/ports/journey-runs';
import type { NewJourney } from '../../stores/ports/journey-store';
import { aContact, messageId, nextSerial, type Sender } from './builders';
import { TEST_START } from './clock';

export function anAudience(workspaceId: number, overrides: Partial<NewAudience> = {}): NewAudience {
  return {
    workspaceId,
    name: `Pelanggan ${nextSerial()}`,
    description: null,
    publicToken: `token${nextSerial()}`,
    optInMode: 'single',
    createdAt: TEST_START,
    ...overrides,
  };
}

export function aCampaign(
  { workspace, domain }: Pick<Sender, 'workspace' | 'domain'>,
  audienceId: number,
  overrides: Partial<NewCampaign> = {},
): NewCampaign {
  return {
    workspaceId: workspace.id,
    audienceId,
    domainId: domain.id,
    subject: 'Promo akhir tahun',
    html: '<p>Halo {{nama|Kak}}</p>',
    blocks: null,
    text: null,
    preheader: null,
    fromEmail: null,
    fromName: null,
    replyTo: null,
    ...NEW_CAMPAIGN,
    createdAt: TEST_START,
    ...overrides,
  };
}

/** An active journey that is entered through the API, by default. */
export function aJourney(workspaceId: number, overrides: Partial<NewJourney> = {}): NewJourney {
  return {
    workspaceId,
    name: `Sambutan ${nextSerial()}`,
    status: 'active',
    triggerType: 'api',
    audienceId: null,
    steps: [{ kind: 'wait', ms: 86_400_000 }],
    goal: null,
    secretSealed: 'k1.sealed',
    createdAt: TEST_START,
    ...overrides,
  };
}

export function anEnrollment(
  { id: journeyId, workspaceId }: { id: number; workspaceId: number },
  contact: NewContact = aContact(workspaceId),
): NewEnrollment {
  return { id: messageId(), workspaceId, journeyId, contact, at: TEST_START, agreed: { source: 'api', by: null } };
}

export function aConversion(workspaceId: number, overrides: Partial<Conversion> = {}): Conversion {
  return {
    id: messageId(),
    workspaceId,
    amount: 150_000,
    messageId: null,
    contactId: null,
    orderId: null,
    occurredAt: TEST_START - 1_000,
    receivedAt: TEST_START,
    ...overrides,
  };
}

/** Adds `count` new contacts of the workspace to the audience, in order. */
export async function addMembers(
  { audiences }: Pick<Stores, 'audiences'>,
  { id, workspaceId }: { id: number; workspaceId: number },
  count: number,
): Promise<Contact[]> {
  const outcomes = await Promise.all(
    Array.from({ length: count }, () =>
      audiences.join(workspaceId, id, { contact: aContact(workspaceId) }, TEST_START),
    ),
  );
  return outcomes.map((outcome) => {
    if (!('contact' in outcome)) throw new Error(`the contact did not join: ${outcome.kind}`);
    return outcome.contact;
  });
}
