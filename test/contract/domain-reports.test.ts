import { describe, expect, it } from '@jest/globals';
import { readReports } from '../../operations/domains/read-reports';
import { keepAggregate } from '../../operations/reports/keep-aggregate';
import { MAX_REPORTS_A_DAY, REPORTS_KEPT, type DomainReport } from '../../domain/domain-reports/domain-report';
import { DAY } from '../../lib/clock';
import { createSender } from '../support/builders';
import { frozenClock, TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { atOnce, inTurn } from './helpers';

const aReport = (change: Partial<DomainReport> = {}): DomainReport => ({
  kind: 'dmarc',
  org: 'google.com',
  reportId: '1',
  begin: TEST_START - DAY,
  end: TEST_START - 1,
  passed: 5,
  failed: 1,
  sources: [{ ip: '192.0.2.1', from: 'a.example', passed: 5, failed: 1, quarantined: 1, rejected: 0 }],
  failures: [],
  ...change,
});

/** Aggregate reports about a domain, on every driver. */
function describeReports(open: OpenEngine): void {
  describe('aggregate reports', () => {
    const subject = sharedEngine(open);
    const newDomain = async () => (await createSender(subject.stores)).domain.domain;
    const keep = (about: string, change: Partial<DomainReport> = {}, addressed: string[] = []) =>
      keepAggregate({ stores: subject.stores, clock: frozenClock() }, { about, report: aReport(change), addressed });
    const kept = (domain: string, kind: DomainReport['kind'] = 'dmarc', since = TEST_START - 2 * DAY) =>
      readReports(subject.stores.records, domain, { kind, since, now: TEST_START });

    it('are kept once, with the domain they are about', async () => {
      const [ours, other] = [await newDomain(), await newDomain()];
      const answers = await atOnce(4, () => keep(ours));
      expect(answers.filter((answer) => answer === null)).toHaveLength(1);
      expect(await keep(ours, { org: 'GOOGLE.com', passed: 7 })).toBe('it was received before');
      expect(await keep(ours, { org: 'Yahoo' })).toBeNull();
      expect(await keep(`bounce.${ours}`, { kind: 'tls', sources: [] })).toBeNull();
      await subject.crash();
      expect(new Set((await kept(ours)).map(({ org }) => org))).toEqual(new Set(['google.com', 'Yahoo']));
      expect(await kept(ours, 'tls')).toEqual([aReport({ kind: 'tls', sources: [] })]);
      expect(await kept(other)).toEqual([]);
      expect(await kept(ours, 'dmarc', TEST_START + DAY)).toEqual([]);
    });

    it('of a parent domain are kept where they came to', async () => {
      const ours = await newDomain();
      const parent = ours.slice(ours.indexOf('.') + 1);
      expect(await keep(parent, {}, [ours])).toBeNull();
      expect(await kept(ours)).toHaveLength(1);
      expect(await keep('elsewhere.example', {}, [ours])).toMatch(/not about a sending domain/);
    });

    it.each([
      ['long ago', TEST_START - REPORTS_KEPT - 1],
      ['to come', TEST_START + 2 * DAY],
    ])('about a time %s are not kept', async (_when, begin) => {
      expect(await keep(await newDomain(), { begin, end: begin })).toMatch(/too long ago, or in the future/);
    });

    it('are no more than so many of a day, read in the order of their days', async () => {
      const ours = await newDomain();
      await inTurn(MAX_REPORTS_A_DAY, (n) => keep(ours, { reportId: String(n) }));
      expect(await keep(ours, { reportId: 'one more' })).toMatch(/too many for that day/);
      for (const days of [3, 2]) expect(await keep(ours, { begin: TEST_START - days * DAY })).toBeNull();
      const begins = (await kept(ours, 'dmarc', TEST_START - 5 * DAY)).map(({ begin }) => begin);
      expect(begins).toHaveLength(MAX_REPORTS_A_DAY + 2);
      expect(begins).toEqual([...begins].sort((a, b) => a - b));
    });
  });
}

onEveryDriver(describeReports);
