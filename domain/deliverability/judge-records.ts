import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { tagsOf } from '../settings/dns-records';
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

/** A mechanism or modifier of an SPF record that leads to another name. */
export interface SpfStep {
  kind: 'include' | 'redirect' | 'other';
  /** Null: the domain of the record itself. */
  target: string | null;
}

/** The terms that take a look-up (RFC 7208 section 4.6.4), and those that are no terms. */
export function readSpf(record: string): { steps: SpfStep[]; wrong: string[]; terms: string[] } {
  const terms = record.trim().toLowerCase().split(/\s+/).slice(1);
  const steps: SpfStep[] = [];
  const wrong: string[] = [];
  for (const term of terms) {
    const step = readTerm(term);
    if (step === null) wrong.push(term);
    else if (step !== 'no look-up') steps.push(step);
  }
  return { steps, wrong, terms };
}

/** Null for what is no term of SPF. */
function readTerm(term: string): SpfStep | 'no look-up' | null {
  const [, name = '', separator = '', value = ''] = /^[+?~-]?([a-z][a-z0-9._-]*)(?:([:=])(.+))?$/.exec(term) ?? [];
  if (separator === '=') return name === 'redirect' ? { kind: 'redirect', target: value } : 'no look-up';
  if (name === 'include') return value ? { kind: 'include', target: value } : null;
  if (/^(?:a|mx|ptr|exists)(?:\/|$)/.test(term.replace(/^[+?~-]|:.*$/g, ''))) return { kind: 'other', target: null };
  const isKnown =
    (name === 'all' && !separator) || (/^ip[46]$/.test(name) && isIP(value.replace(/\/\d+$/, '')) === Number(name[2]));
  return isKnown ? 'no look-up' : null;
}

/** What is wrong with an SPF record as it stands. */
export function judgeSpfRecord(record: string, publish: string | null): Found[] {
  const { wrong, terms, steps } = readSpf(record);
  const hasEnd = terms.some((term) => /^[+~-]?all$/.test(term)) || steps.some(({ kind }) => kind === 'redirect');
  return [
    ...(wrong.length > 0 ? [finding('spf-syntax', wrong.join(' '), publish)] : []),
    ...(hasEnd ? [] : [finding('spf-no-end', record, publish)]),
    ...(terms.some((term) => /^[+?~-]?ptr(:|$)/.test(term)) ? [finding('spf-ptr', record, publish)] : []),
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
