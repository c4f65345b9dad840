import { Parser } from 'htmlparser2';
import { isIP } from 'node:net';
import { addSource, mostFailing } from '../../../domain/domain-reports/sum-reports';
import type { DmarcSource } from '../../../domain/domain-reports/domain-report';
import { clipped, SECONDS, type AggregateReport } from './aggregate-report';
import type { ReadingBudget } from './reading-budget';
import { Overrun, ReportFault } from './report-fault';

const MAX_DEPTH = 12;
/** Of the text of an element. */
const MAX_TEXT = 300;
/** Characters without the end of a tag or text: no report has so long a one, and they are all kept meanwhile. */
const MAX_UNREAD = 256 * 1024;
const PIECE = 64 * 1024;
/** Sources that are kept of a report. */
const MAX_SOURCES = 100;

/** The elements that are read, by their parent and name (RFC 7489 appendix C). */
const OF_REPORT = new Set([
  ...['report_metadata/org_name', 'report_metadata/report_id', 'date_range/begin', 'date_range/end'],
  'policy_published/domain',
]);
const OF_ROW = new Set([
  ...['row/source_ip', 'row/count', 'identifiers/header_from'],
  ...['policy_evaluated/disposition', 'policy_evaluated/dkim', 'policy_evaluated/spf'],
]);

/**
 * Reads a DMARC aggregate report piece by piece, in memory that does not grow with its rows but with its sources. No
 * entity but the five of XML is known, and a document type is refused. `write` and `end` throw ReportFault.
 */
export class DmarcReader {
  private readonly path: string[] = [];
  private readonly head = new Map<string, string>();
  private readonly row = new Map<string, string>();
  private readonly sources = new Map<string, DmarcSource>();
  private text = '';
  private unread = 0;
  private isWhole = false;

  private readonly parser = new Parser(
    {
      onopentagname: (name) => this.open(name.replace(/^.*:/, '')),
      onattribute: () => this.budget.node(),
      oncomment: () => this.budget.node(),
      oncdatastart: () => this.budget.node(),
      ontext: (text) => {
        this.unread = 0;
        this.budget.node();
        if (this.text.length < MAX_TEXT) this.text += text;
      },
      onclosetag: (_name, isImplied) => this.close(isImplied),
      onprocessinginstruction: (name) => {
        this.budget.node();
        if (/^!/.test(name)) throw new ReportFault('XML with a document type');
      },
    },
    { xmlMode: true },
  );

  constructor(private readonly budget: ReadingBudget) {}

  write(text: string): void {
    for (let at = 0; at < text.length; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      this.unread += piece.length;
      if (this.unread > MAX_UNREAD) throw new Overrun('XML with a tag without an end');
      this.parser.write(piece);
    }
  }

  end(): AggregateReport {
    this.parser.end();
    if (!this.isWhole) throw new ReportFault('no whole DMARC report');
    const sources = mostFailing(this.sources.values());
    const total = (of: 'passed' | 'failed'): number => sources.reduce((sum, source) => sum + source[of], 0);
    return {
      about: this.fact('policy_published/domain').toLowerCase().replace(/\.$/, ''),
      report: {
        kind: 'dmarc',
        org: this.fact('report_metadata/org_name'),
        reportId: this.fact('report_metadata/report_id'),
        begin: this.time('date_range/begin'),
        end: this.time('date_range/end'),
        passed: total('passed'),
        failed: total('failed'),
        sources: sources.slice(0, MAX_SOURCES),
        failures: [],
      },
    };
  }

  private open(name: string): void {
    this.unread = 0;
    this.budget.node();
    this.text = '';
    this.path.push(name);
    if (this.path.length > MAX_DEPTH) throw new Overrun('XML that is nested too deep');
    if (this.path[0] !== 'feedback') throw new ReportFault('XML that is no DMARC report');
  }

  private close(isImplied: boolean): void {
    this.unread = 0;
    const name = this.path.pop();
    const key = `${this.path.at(-1)}/${name}`;
    if (OF_ROW.has(key)) this.row.set(key, this.text.trim());
    else if (OF_REPORT.has(key)) this.head.set(key, clipped(this.text));
    else if (key === 'feedback/record') this.addRow();
    else if (this.path.length === 0) this.isWhole = !isImplied;
    this.text = '';
  }

  private addRow(): void {
    this.budget.row();
    const ip = this.row.get('row/source_ip') ?? '';
    const count = this.row.get('row/count') ?? '';
    if (isIP(ip) === 0 || !/^\d{1,9}$/.test(count)) throw new ReportFault('a row without its source_ip or count');
    const isPassed = ['dkim', 'spf'].some((by) => this.row.get(`policy_evaluated/${by}`)?.toLowerCase() === 'pass');
    const failed = isPassed ? 0 : Number(count);
    const disposition = this.row.get('policy_evaluated/disposition')?.toLowerCase();
    addSource(this.sources, {
      ip: ip.toLowerCase(),
      from: clipped(this.row.get('identifiers/header_from') ?? '').toLowerCase(),
      passed: isPassed ? Number(count) : 0,
      failed,
      quarantined: disposition === 'quarantine' ? failed : 0,
      rejected: disposition === 'reject' ? failed : 0,
    });
    this.row.clear();
  }

  private fact(key: string): string {
    const value = this.head.get(key) ?? '';
    if (value === '') throw new ReportFault(`a DMARC report without ${key}`);
    return value;
  }

  private time(key: string): number {
    const value = this.fact(key);
    if (!SECONDS.test(value)) throw new ReportFault(`a DMARC report without ${key}`);
    return Number(value) * 1000;
  }
}
