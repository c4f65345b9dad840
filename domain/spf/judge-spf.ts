import type { Reason } from '../../lib/reason';
import type { FindingName } from '../deliverability/finding';
import { differs, missing, OK, recordFault, unanswered, type DnsVerdict } from '../settings/dns-verdict';
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
    const fault = recordFault('several', { kind: 'SPF' });
    return { ...differs('spf-several', fault), publish: mergeSpf(records, { add: terms }) };
  }
  const refusals = await refusalsOf(dns, only, wanted.name, terms);
  const fault = worst(refusals);
  if (fault?.kind === 'dns') return unanswered(fault.what);
  if (fault) return faulty(wanted.name, only, terms, fault);
  if (refusals.length > 0) return lacking(only, refusals);
  if (!(await isOpen(dns, only, wanted.name))) return OK;
  return { ...differs('spf-open', recordFault('open')), publish: mergeSpf([only], { add: terms }) };
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
  const fault = recordFault('no_spf');
  return { ...differs('spf-syntax', fault), ...(isSpf(record) && { publish: mergeSpf([record], { add: terms }) }) };
}

function lacking(record: string, refusals: readonly Refusal[]): DnsVerdict {
  const add = refusals.map(({ term }) => term);
  const terms = add.join(' ');
  const by = refusals.find(({ outcome }) => outcome?.by)?.outcome?.by ?? null;
  const isThere = add.every((term) => termsOf(record).some((one) => one.toLowerCase() === term.toLowerCase()));
  const fault = isThere && by !== null ? recordFault('behind', { terms, by }) : recordFault('lacks', { terms });
  return {
    ...differs('spf-lacks-server', fault),
    publish: mergeSpf([record], { add, before: by }),
  };
}

const FAULTS = {
  syntax: ['spf-syntax', 'syntax'],
  'look-ups': ['spf-look-ups', 'look_ups'],
  void: ['spf-void', 'void'],
  include: ['spf-include', 'include'],
  dns: ['dns-failed', 'said'],
  several: ['spf-include', 'include_several'],
} as const;

/** What a fault of SPF is for `kurir domain doctor`, and in words; `name` is that of the record that was looked at. */
export function explainFault(name: string, { kind, at, what }: SpfFault): [FindingName, Reason] {
  const [check, code] = FAULTS[kind];
  const fault = recordFault(code, { what });
  return [check, at === name || kind === 'several' || kind === 'dns' ? fault : recordFault('inside', { at, fault })];
}

function faulty(name: string, record: string, terms: readonly string[], fault: SpfFault): DnsVerdict {
  const [check, text] = explainFault(name, fault);
  const [first = null, ...others] = termsOf(record);
  const leads = [first, ...others].filter((term) => term?.toLowerCase().includes(fault.what.toLowerCase()));
  const drop = fault.kind === 'include' ? leads.filter((term) => term !== null) : [];
  return { ...differs(check, text), publish: mergeSpf([record], { add: terms, drop, before: first }) };
}
