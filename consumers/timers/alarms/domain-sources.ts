import { judgeInTime, NO_ANSWER, type AlarmSource, type Judgment, type Evaluation, type Findings } from './source';
import { sumReports } from '../../../domain/domain-reports/sum-reports';
import type { SendingDomain } from '../../../domain/settings/sending-domain';
import { DAY, MINUTE } from '../../../lib/clock';
import { mapAtOnce } from '../../../lib/map-at-once';
import type { Stores } from '../../../stores/ports';
import { readReports } from '../../../operations/domains/read-reports';
import { examineNames, type DomainSetUp } from '../../../operations/domains/examine-domain';
import type { SendingAddresses } from '../../../operations/domains/check-names';
import { sameAddress } from './server-sources';

/** M3AAWG advises a new DKIM key every six months; after a year it is said, ms. */
const KEY_FOR = 365 * DAY;
/** Receivers report of a day in the course of the next, ms. */
const REPORTED = 3 * DAY;
/** Own mail that fails DMARC: how much of it is too much. A receiver that puts DKIM out for a moment is not. */
const DMARC = { above: 0.02, least: 10 };

type DomainStores = Pick<Stores, 'domains'>;

/** How domains take turns: so many in a look, as far as there is time, and so many at once. */
interface Turns {
  kind: 'domain' | 'dmarc';
  limit: number;
  atOnce: number;
}

/** Judges the next active domains; those that are not among them, and still active, stay as they are. */
async function evaluateDomains(
  { domains }: DomainStores,
  { kind, limit, atOnce }: Turns,
  { from, active, late }: Evaluation,
  judge: (domain: SendingDomain) => Promise<Judgment>,
): Promise<Findings> {
  const page = await domains.page(from, limit);
  const subjects = page
    .filter(({ status }) => status === 'active')
    .map((domain) => ({ kind, subject: domain.domain, workspaceId: domain.workspaceId, domain }));
  const { found, begun } = await judgeInTime(subjects, { atOnce, late }, ({ domain }) => judge(domain));
  const looked = new Set(subjects.map(({ subject }) => subject));
  const others = await mapAtOnce([...new Set(active)], atOnce, async (subject) => {
    const isLeft = !looked.has(subject) && (await domains.findByName(subject))?.status === 'active';
    return isLeft ? [{ kind, subject, unknown: true as const }] : [];
  });
  const end = page.length < limit ? 0 : page.at(-1)!.id;
  const next = begun < subjects.length ? (subjects[begun - 1]?.domain.id ?? from) : end;
  return { found: [...found, ...others.flat()], next };
}

/** What the doctor finds in the names of active domains that receivers refuse mail for, and DKIM keys that are old. */
export const domainSource = (
  stores: DomainStores,
  setUp: (domain: SendingDomain) => Promise<DomainSetUp>,
): AlarmSource => ({
  name: 'domains',
  kinds: ['domain'],
  // A DNS server is not to be flooded.
  every: 5 * MINUTE,
  evaluate: (evaluation) =>
    evaluateDomains(stores, { kind: 'domain', limit: 200, atOnce: 16 }, evaluation, async (of) =>
      judgeDomain(of, await setUp(of), evaluation.now),
    ),
});

async function judgeDomain(of: SendingDomain, setUp: DomainSetUp, now: number): Promise<Judgment> {
  const { domain } = of;
  const findings = await examineNames(setUp);
  const blocking = findings
    .filter(({ level }) => level === 'blocking')
    .map(({ check, found }) => `${check} (${found})`);
  const age = now - keyMadeAt(of);
  const old =
    age > KEY_FOR
      ? [`the DKIM key is ${Math.floor(age / DAY)} days old; rotate it: kurir domain rotate ${domain}`]
      : [];
  const wrong = [...blocking, ...old];
  if (wrong.length > 0) return `${domain}: ${wrong.join('; ')}. To fix it, see kurir domain doctor ${domain}.`;
  return findings.some(({ check }) => check === 'dns-failed') ? NO_ANSWER : null;
}

/** The day of a selector that Kurir made (`kurir-20260105-...`), else that of the domain, ms. */
function keyMadeAt({ dkimSelector, createdAt }: SendingDomain): number {
  const [, year, month, day] = /^kurir-(\d{4})(\d\d)(\d\d)-/.exec(dkimSelector) ?? [];
  return year === undefined ? createdAt : Date.parse(`${year}-${month}-${day}T00:00:00Z`);
}

/** Mail from our own addresses that failed DMARC at receivers, by their reports of the last three days. */
export const dmarcSource = (
  stores: DomainStores & Pick<Stores, 'records'>,
  addresses: () => Promise<SendingAddresses>,
): AlarmSource => ({
  name: 'dmarc',
  kinds: ['dmarc'],
  every: 10 * MINUTE,
  evaluate: async (evaluation) => {
    const { known: own, failed } = await addresses();
    const nothing = failed.length > 0 ? NO_ANSWER : null;
    return evaluateDomains(stores, { kind: 'dmarc', limit: 500, atOnce: 8 }, evaluation, async ({ domain }) => {
      if (own.length === 0) return nothing;
      const since = evaluation.now - REPORTED;
      const reports = await readReports(stores.records, domain, { kind: 'dmarc', since, now: evaluation.now });
      const sources = sumReports(reports).sources.filter(({ ip }) => own.some((one) => sameAddress(one, ip)));
      const refused = sources.reduce((sum, of) => sum + of.failed, 0);
      const all = refused + sources.reduce((sum, of) => sum + of.passed, 0);
      if (refused < DMARC.least || refused <= all * DMARC.above) return nothing;
      return `${domain}: ${refused} of ${all} emails from your own sending server failed DMARC at receivers in the last days. See kurir domain dmarc ${domain}.`;
    });
  },
});
