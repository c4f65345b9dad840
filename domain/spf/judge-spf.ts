import type { FindingName } from '../deliverability/finding';
import { differs, missing, OK, unanswered, type DnsVerdict } from '../settings/dns-verdict';
import type { SpfDns, SpfFault, SpfOutcome } from './check-host';
import { mergeSpf } from './merge-spf';
import { isSpf, termsOf } from './parse-spf';
import { isOpen, refusalOf, surveySpf } from './survey';

/** The SPF record that a name should have: `v=spf1 <terms of the sending server> -all`. */
export interface WantedSpf {
  name: string;
  value: string;
}

/**
 * Whether the TXT records under a name let the sending server send: the record is evaluated for each address that the
 * expected terms stand for (RFC 7208 section 4). A term whose addresses are not known must be there, or what leads to
 * it. The verdict has the present record with the change that mends it.
 */
export async function judgeSpf(dns: SpfDns, wanted: WantedSpf, found: readonly string[]): Promise<DnsVerdict> {
  const records = found.filter(isSpf);
  const [only] = records;
  const terms = termsOf(wanted.value).slice(0, -1);
  if (only === undefined) return judgeOthers(found, terms);
  if (records.length > 1) {
    const fault = 'there are several SPF records, which makes all of them invalid';
    return { ...differs('spf-several', fault), publish: mergeSpf(records, { add: terms }) };
  }
  const refusals = await refusalsOf(dns, only, wanted.name, terms);
  const fault = worst(refusals);
  if (fault?.kind === 'dns') return unanswered(fault.what);
  if (fault) return faulty(wanted.name, only, terms, fault);
  if (refusals.length > 0) return lacking(only, refusals);
  if (!(await isOpen(dns, only, wanted.name))) return OK;
  const open = 'it allows any server to send (+all)';
  return { ...differs('spf-open', open), publish: mergeSpf([only], { add: terms }) };
}

interface Refusal {
  term: string;
  /** Null: its addresses are not known, and nothing leads to it. */
  outcome: SpfOutcome | null;
}

const faultOf = ({ outcome }: Refusal): SpfFault | null => outcome?.fault ?? null;
/** No answer comes first: with one, the verdict might be another. */
const worst = (refusals: readonly Refusal[]): SpfFault | null =>
  refusals.map(faultOf).find((fault) => fault?.kind === 'dns') ?? refusals.map(faultOf).find(Boolean) ?? null;

async function refusalsOf(dns: SpfDns, record: string, name: string, terms: readonly string[]): Promise<Refusal[]> {
  const there = await surveySpf(dns, record, name);
  const each = terms.map(async (term): Promise<Refusal[]> => {
    const named = await surveySpf(dns, `v=spf1 ${term}`, name);
    const error = (fault: SpfFault): Refusal => ({ term, outcome: { result: 'permerror', by: null, fault } });
    if (named.fault?.kind === 'dns') return [error(named.fault)];
    for (const network of named.networks) {
      const outcome = await refusalOf(dns, record, name, network);
      if (outcome !== null) return [{ term, outcome }];
    }
    if (named.networks.length > 0) return [];
    if (there.fault !== null) return [error(there.fault)];
    return there.terms.includes(named.terms[0] ?? term.toLowerCase()) ? [] : [{ term, outcome: null }];
  });
  return (await Promise.all(each)).flat();
}

/** There is no SPF record, or a text that was meant as one. */
function judgeOthers(found: readonly string[], terms: readonly string[]): DnsVerdict {
  const meant = found.find((text) => /^[\s"'“”]*v\s*=\s*spf1(?!\d)/i.test(text));
  if (meant === undefined) return missing('spf-missing');
  const record = meant.replaceAll(/["“”]|^[\s']+|[\s']+$/g, '').replaceAll(/\s+/g, ' ');
  const fault =
    'it does not begin with "v=spf1 ", so it is no SPF record: there may be no quotation mark or space before';
  return { ...differs('spf-syntax', fault), ...(isSpf(record) && { publish: mergeSpf([record], { add: terms }) }) };
}

function lacking(record: string, refusals: readonly Refusal[]): DnsVerdict {
  const add = refusals.map(({ term }) => term);
  const by = refusals.find(({ outcome }) => outcome?.by)?.outcome?.by ?? null;
  const isThere = add.every((term) => termsOf(record).some((one) => one.toLowerCase() === term.toLowerCase()));
  const fault = isThere && by !== null ? `${add.join(' ')} stands after ${by}, which decides before it` : null;
  return {
    ...differs('spf-lacks-server', fault ?? `${add.join(' ')} is missing`),
    publish: mergeSpf([record], { add, before: by }),
  };
}

const FAULTS: Readonly<Record<SpfFault['kind'], readonly [FindingName, (fault: SpfFault) => string]>> = {
  syntax: ['spf-syntax', ({ what }) => `${what} is no term of SPF, which makes the whole record invalid`],
  'look-ups': ['spf-look-ups', () => 'it takes more than 10 look-ups, which makes the record invalid'],
  void: ['spf-void', () => 'more than two of its names do not exist, which makes the record invalid'],
  include: ['spf-include', ({ what }) => `${what} has no SPF record, which makes the record that names it invalid`],
  dns: ['dns-failed', ({ what }) => what],
  several: ['spf-include', ({ what }) => `${what} has several SPF records, which makes all of them invalid`],
};

/** What a fault of SPF is for `kurir domain doctor`, and in words; `name` is that of the record that was looked at. */
export function explainFault(name: string, fault: SpfFault): [FindingName, string] {
  const [check, say] = FAULTS[fault.kind];
  return [
    check,
    fault.at === name || fault.kind === 'several' || fault.kind === 'dns'
      ? say(fault)
      : `in the record of ${fault.at}: ${say(fault)}`,
  ];
}

function faulty(name: string, record: string, terms: readonly string[], fault: SpfFault): DnsVerdict {
  const [check, text] = explainFault(name, fault);
  const [first = null, ...others] = termsOf(record);
  const leads = [first, ...others].filter((term) => term?.toLowerCase().includes(fault.what.toLowerCase()));
  const drop = fault.kind === 'include' ? leads.filter((term) => term !== null) : [];
  return { ...differs(check, text), publish: mergeSpf([record], { add: terms, drop, before: first }) };
}
