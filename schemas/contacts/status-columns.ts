/** How a column says who may get mail; `read-status.ts` says what a cell means by each. */
export const STATUS_FIELDS = [
  'status',
  'subscribed',
  'unsubscribed',
  'bounced',
  'complained',
  'confirmed',
  'unsubscribed_at',
  'cleaned_at',
] as const;
export type StatusField = (typeof STATUS_FIELDS)[number];
/**
 * `suppressions`: a list of reasons. `pending`: yes, it has not confirmed. `state`: a status, or the state of an
 * address. `nothing`: it says nothing.
 */
export type Reading = StatusField | 'suppressions' | 'pending' | 'state' | 'nothing';

interface KnownExport {
  service: string;
  /** Where its columns and their values are documented. */
  source: string;
  /** Names are compared without case, spaces, hyphens, underscores and dots. */
  columns: Readonly<Record<string, Reading>>;
}

/** The columns of known exports that say who may get mail, or only sound so. Anything else is asked about. */
const EXPORTS: readonly KnownExport[] = [
  {
    service: 'Kurir',
    source: 'docs/cli.md#kurir-contact-export',
    columns: { subscribed_at: 'nothing', joined_at: 'nothing', confirmed_at: 'confirmed' },
  },
  {
    service: 'Mailchimp: one file each for subscribed, unsubscribed and cleaned contacts',
    source: 'https://mailchimp.com/help/view-export-contacts/',
    columns: {
      MEMBER_RATING: 'nothing',
      OPTIN_TIME: 'nothing',
      OPTIN_IP: 'nothing',
      CONFIRM_TIME: 'nothing',
      CONFIRM_IP: 'nothing',
      LEID: 'nothing',
      EUID: 'nothing',
      UNSUB_TIME: 'unsubscribed_at',
      UNSUB_CAMPAIGN_TITLE: 'nothing',
      UNSUB_CAMPAIGN_ID: 'nothing',
      UNSUB_REASON: 'nothing',
      UNSUB_REASON_OTHER: 'nothing',
      CLEAN_TIME: 'cleaned_at',
      CLEAN_CAMPAIGN_TITLE: 'nothing',
      CLEAN_CAMPAIGN_ID: 'nothing',
    },
  },
  {
    service: 'Brevo',
    source: 'https://developers.brevo.com/reference/get-contact-info',
    columns: {
      EMAIL_BLACKLIST: 'unsubscribed',
      emailBlacklisted: 'unsubscribed',
      blocklisted: 'unsubscribed',
      blacklisted: 'unsubscribed',
      SMS_BLACKLIST: 'nothing',
      smsBlacklisted: 'nothing',
      'CONTACT ID': 'nothing',
    },
  },
  {
    service: 'listmonk',
    source: 'https://listmonk.app/docs/concepts',
    columns: { status: 'status', subscription_status: 'status', uuid: 'nothing' },
  },
  {
    service: 'Resend',
    source: 'https://resend.com/docs/dashboard/audiences/contacts',
    columns: { unsubscribed: 'unsubscribed' },
  },
  { service: 'Plunk', source: 'https://docs.useplunk.com/', columns: { subscribed: 'subscribed' } },
  { service: 'useSend', source: 'https://docs.usesend.com/', columns: { subscribed: 'subscribed' } },
  {
    service: 'HubSpot',
    source: 'https://knowledge.hubspot.com/properties/hubspots-default-contact-properties',
    columns: {
      'Unsubscribed from all email': 'unsubscribed',
      hs_email_optout: 'unsubscribed',
      'Email hard bounce reason': 'bounced',
      'Invalid email address': 'bounced',
      hs_email_bad_address: 'bounced',
    },
  },
  {
    service: 'Mautic',
    source: 'https://docs.mautic.org/en/latest/contacts/manage_contacts.html',
    columns: { doNotContact: 'unsubscribed' },
  },
  {
    service: 'Klaviyo',
    source: 'https://help.klaviyo.com/hc/en-us/articles/360043841811',
    columns: {
      'Email Marketing Consent': 'status',
      'Email Suppressions': 'suppressions',
      'Email Marketing Consent Timestamp': 'nothing',
      'SMS Marketing Consent': 'nothing',
      'SMS Suppressions': 'nothing',
    },
  },
  {
    service: 'Kit, once ConvertKit',
    source: 'https://developers.kit.com/api-reference/subscribers/create-a-subscriber',
    columns: { state: 'state', status: 'status' },
  },
  {
    service: 'Campaign Monitor',
    source: 'https://www.campaignmonitor.com/api/v3-3/subscribers/',
    columns: { State: 'state' },
  },
  {
    service: 'MailPoet',
    source: 'https://github.com/mailpoet/mailpoet',
    columns: { 'List status': 'status', 'Global status': 'status' },
  },
  {
    service: 'Constant Contact',
    source: 'https://developer.constantcontact.com/api_reference/index.html',
    columns: { 'Email status': 'status', permission_to_send: 'status', 'Email permission status': 'status' },
  },
  {
    service: 'MailerLite',
    source: 'https://developers.mailerlite.com/docs/subscribers.html',
    columns: { status: 'status' },
  },
  {
    service: 'ActiveCampaign',
    source: 'https://developers.activecampaign.com/reference/contact',
    columns: { status: 'status' },
  },
  { service: 'AWeber', source: 'https://api.aweber.com/', columns: { status: 'status' } },
  { service: 'Drip', source: 'https://developer.drip.com/#subscribers', columns: { status: 'status' } },
  { service: 'Sendy', source: 'https://sendy.co/api', columns: { status: 'status' } },
  {
    service: 'Omnisend',
    source: 'https://api-docs.omnisend.com/reference/contacts',
    columns: { 'Email status': 'status' },
  },
  {
    service: 'beehiiv',
    source: 'https://developers.beehiiv.com/api-reference/subscriptions',
    columns: { status: 'status' },
  },
  { service: 'Buttondown', source: 'https://docs.buttondown.com/api-subscribers-type', columns: { status: 'status' } },
  {
    service: 'Salesforce',
    source: 'https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/subscriberstatus.html',
    columns: { status: 'status', 'Email Opt Out': 'unsubscribed', HasOptedOutOfEmail: 'unsubscribed' },
  },
  {
    service: 'Zoho CRM',
    source: 'https://www.zoho.com/crm/developer/docs/api/v8/',
    columns: { 'Email Opt Out': 'unsubscribed' },
  },
  {
    service: 'Mailjet',
    source: 'https://dev.mailjet.com/email/reference/contacts/contact/',
    columns: {
      IsExcludedFromCampaigns: 'unsubscribed',
      IsSpamComplaining: 'complained',
      IsOptInPending: 'pending',
      ExclusionFromCampaignsUpdatedAt: 'nothing',
      IsUnsubscribed: 'unsubscribed',
    },
  },
  {
    service: 'Ghost',
    source: 'https://ghost.org/help/import-members/',
    columns: { subscribed_to_emails: 'subscribed', complimentary_plan: 'nothing' },
  },
  {
    service: 'Substack',
    source: 'https://ghost.org/docs/migration/substack/',
    columns: { email_disabled: 'unsubscribed', active_subscription: 'nothing', digest_enabled: 'nothing' },
  },
  {
    service: 'Shopify',
    source: 'https://help.shopify.com/en/manual/customers/import-export-customers',
    columns: {
      'Accepts Email Marketing': 'subscribed',
      'Accepts Marketing': 'subscribed',
      'Accepts SMS Marketing': 'nothing',
      'Tax Exempt': 'nothing',
    },
  },
];

/** HubSpot: a column for each kind of mail, such as `Opted out of email: Newsletter`. */
const OPTED_OUT = /^optedoutofemail/;

/** How names are compared. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[\s_.-]/g, '');

const READINGS: ReadonlyMap<string, Reading> = new Map([
  ...EXPORTS.flatMap(({ columns }) => Object.entries(columns).map(([name, how]) => [plainName(name), how] as const)),
  ...STATUS_FIELDS.map((field) => [plainName(field), field] as const),
]);

/** How a column of this name is read; null: it is none that is known. */
export function knownReading(name: string): Reading | null {
  const plain = plainName(name);
  return READINGS.get(plain) ?? (OPTED_OUT.test(plain) ? 'unsubscribed' : null);
}
