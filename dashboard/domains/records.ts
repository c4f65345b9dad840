import type { AnswerOf } from '../../operations/definition';
import type { DOMAIN } from '../../operations/domains/domain';
import { html, NOTHING, type Html } from '../kit/html';
import { copyable, facts, tag, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import type { Texts } from '../texts/texts';

export type ShownDomain = AnswerOf<typeof DOMAIN.show>;
/** What was found in the DNS. */
export type Looked = Pick<AnswerOf<typeof DOMAIN.check>, 'records'>;
type DnsRecord = ShownDomain['dns'][number];
type Found = Looked['records'][number];

const PURPOSE = {
  dkim: 'domainsDkim',
  dkim_pending: 'domainsDkimPending',
  dkim_retired: 'domainsDkimRetired',
  bounce: 'domainsBounce',
  spf: 'domainsSpf',
  dmarc: 'domainsDmarc',
} as const satisfies Record<DnsRecord['purpose'], keyof Texts>;
const VERDICT = {
  ok: ['domainsOk', 'good'],
  missing: ['domainsMissing', 'bad'],
  differs: ['domainsDiffers', 'bad'],
  unknown: ['domainsUnknown', 'warn'],
} as const;

function verdict(t: Texts, { status }: Found): Html {
  const [key, tone] = VERDICT[status];
  return tag(t[key], tone);
}

/** What was found where it is not what is expected, and what is wrong with it. */
const foundText = ({ t, language }: Pick<Visit, 't' | 'language'>, { found, fault, status }: Found): Html =>
  found.length === 0 && status === 'missing'
    ? html`${t.domainsFoundNothing}`
    : html`${found.map((one) => html`<div><code>${one}</code></div>`)}${fault?.in(language)}`;

function recordView(visit: Pick<Visit, 't' | 'language'>, record: DnsRecord, seen: Found | null): Html {
  const { t } = visit;
  const { purpose, name, type, removable_from: until } = record;
  // What is to be published may keep terms of a record that is there.
  const value = seen?.expected ?? record.value;
  return html`<li class="panel">
    <h3>${t[PURPOSE[purpose]]} ${seen && verdict(t, seen)}</h3>
    ${facts([
      [t.domainsType, type],
      [t.domainsHost, copyable(t, name)],
      [t.domainsValue, value === null ? t.domainsUnknownValue : copyable(t, value)],
      until !== undefined && [t.domainsRemovable, time(t, until)],
      seen && seen.status !== 'ok' && value !== null && [t.domainsFound, foundText(visit, seen)],
    ])}
  </li>`;
}

/** True while a new key waits for its record. */
export const hasPending = (dns: readonly DnsRecord[]): boolean => dns.some(({ purpose }) => purpose === 'dkim_pending');

/**
 * The records beside what was found. A domain that does not send yet, or has a new key, is looked up by the page
 * itself, since its owner comes to see that.
 */
export function recordsView(
  { t, base, language }: Visit,
  { id, status, dns }: ShownDomain,
  looked: Looked | null,
): Html {
  const path = `${base}/domains/${id}?look=1`;
  const asks =
    looked === null && ((status !== 'active' && status !== 'suspended') || hasPending(dns))
      ? html` hx-get="${path}" hx-trigger="load" hx-swap="outerHTML"`
      : NOTHING;
  const seen = (purpose: string, name: string): Found | null =>
    looked?.records.find((one) => one.purpose === purpose && one.name === name) ?? null;
  return html`<section id="records" ${asks}>
    <p class="acts">
      <a class="button plain" href="${path}" hx-get="${path}" hx-target="#records" hx-swap="outerHTML">${t.domainsLook}</a>
      ${looked && html`<span class="soft" role="status">${t.domainsLooked}</span>`}
      ${asks !== NOTHING && html`<span class="soft scripted">${t.domainsLooking}</span>`}
    </p>
    <ul class="plain">
      ${dns.map((record) => recordView({ t, language }, record, seen(record.purpose, record.name)))}
    </ul>
  </section>`;
}
