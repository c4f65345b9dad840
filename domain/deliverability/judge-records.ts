import { createPublicKey } from 'node:crypto';
import { tagsOf } from '../settings/dns-records';
import { mergeSpf } from '../spf/merge-spf';
import { parseSpf } from '../spf/parse-spf';
import { finding, type Found } from './finding';

const LEAST_BITS = 2048;

/** What is wrong with a published DKIM key, beyond that it is another one. */
export function judgeKey(record: string, publish: string | null): Found[] {
  const tags = tagsOf(record);
  const bits = bitsOf(tags.get('p') ?? '');
  const parts = (tag: string): string[] => (tags.get(tag) ?? '').toLowerCase().split(':').filter(Boolean);
  const [hashes, services] = [parts('h'), parts('s')];
  return [
    ...(bits !== null && bits < LEAST_BITS ? [finding('dkim-short-key', `${bits} bits`, publish)] : []),
    ...(parts('t').includes('y') ? [finding('dkim-testing', record, publish)] : []),
    ...(hashes.length > 0 && !hashes.includes('sha256') ? [finding('dkim-hash', record, publish)] : []),
    ...(services.some((of) => of === '*' || of === 'email') || services.length === 0
      ? []
      : [finding('dkim-service', record, publish)]),
  ];
}

function bitsOf(base64: string): number | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.modulusLength ?? null;
  } catch {
    return null;
  }
}

/** What is dangerous or slow in an SPF record that is no error, each with the record that mends it. */
export function judgeSpfRecord(record: string, zone: (value: string) => string): Found[] {
  const { terms, redirect } = parseSpf(record);
  const hasEnd = redirect !== null || terms.some(({ name, qualifier }) => name === 'all' && qualifier !== '?');
  const slow = terms.filter(({ name }) => name === 'ptr').map(({ text }) => text);
  const mended = zone(mergeSpf([record], { add: [], drop: slow }));
  return [
    ...(hasEnd ? [] : [finding('spf-no-end', record, mended)]),
    ...(slow.length > 0 ? [finding('spf-ptr', record, mended)] : []),
  ];
}

const MAILTO = /^mailto:[^@\s]+@([^@\s!]+)(?:!\d+[kmgt]?)?$/i;

/** The domains that a DMARC record has reports sent to, and what is wrong with it; `publish` is our own record. */
export function judgeDmarcRecord(record: string, publish: string | null): { found: Found[]; reportDomains: string[] } {
  const tags = tagsOf(record);
  const addresses = (tags.get('rua') ?? '').split(',').filter(Boolean);
  const wrong = addresses.filter((address) => !MAILTO.test(address));
  const pct = tags.get('pct');
  return {
    reportDomains: addresses.flatMap((address) => MAILTO.exec(address)?.[1]?.toLowerCase() ?? []),
    found: [
      ...(addresses.length === 0 ? [finding('dmarc-no-reports', record, publish)] : []),
      ...(wrong.length > 0 ? [finding('dmarc-address', wrong.join(', '), publish)] : []),
      ...(pct !== undefined && pct !== '100' ? [finding('dmarc-partial', `pct=${pct}`)] : []),
      ...(tags.get('aspf')?.toLowerCase() === 's' ? [finding('dmarc-strict-spf', record)] : []),
    ],
  };
}

/** What is wrong with a BIMI record beside the DMARC record that holds for it. */
export function judgeBimi(records: readonly string[], dmarc: string | undefined): Found[] {
  const [only, ...others] = records;
  if (only === undefined) return [];
  const tags = tagsOf(dmarc ?? '');
  const isEnforced = /^(quarantine|reject)$/i.test(tags.get('p') ?? '') && (tags.get('pct') ?? '100') === '100';
  const logo = tagsOf(only).get('l') ?? '';
  // An empty one declines to take part.
  const isLogo = logo === '' || /^https:\/\/[^\s]+\.svg$/i.test(logo);
  return [
    ...(isEnforced || logo === '' ? [] : [finding('bimi-policy', dmarc ?? 'no DMARC record')]),
    ...(isLogo && others.length === 0 ? [] : [finding('bimi-logo', records.join(' | '))]),
  ];
}

/** True for domains of one organization, as far as their names tell. */
export function sameOrganization(a: string, b: string): boolean {
  const owner = (name: string): string => {
    const labels = name.split('.');
    const isUnderCountry = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
    return labels.slice(isUnderCountry ? -3 : -2).join('.');
  };
  return owner(a) === owner(b);
}
