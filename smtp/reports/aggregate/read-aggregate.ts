import PostalMime from 'postal-mime';
import { oneLine } from '../../../lib/one-line';
import type { AggregateReport } from './aggregate-report';
import { DmarcReader } from './dmarc-reader';
import { ReadingBudget } from './reading-budget';
import { Overrun, ReportFault } from './report-fault';
import { MAX_HEADERS } from '../read-head';
import { readTlsReport } from './tls-report';
import { formatOf, mayBeReport, unpack } from './unpack';

/** The local parts, at a bounce domain, to which receivers send aggregate reports. */
const AGGREGATE_ADDRESS = /^(?:dmarc|tls|tls-?rpt)(?:\+[^@]{0,64})?@bounce\.(.+)$/i;
/** Attachments of a mail that are looked at. */
const MAX_PARTS = 5;
/** The most bytes of a TLS report: it is read as a whole. */
const MAX_JSON = 4 * 1024 * 1024;
/** Of the mail itself. */
const MIME = { forceRfc822Attachments: true, maxNestingDepth: 10, maxHeadersSize: MAX_HEADERS } as const;

/**
 * What a mail to such an address holds; `fault` says why it holds nothing. `overrun`: it was larger than any report,
 * and reading ended there.
 */
export interface ReadAggregate {
  reports: AggregateReport[];
  fault: string | null;
  overrun: boolean;
}

/** The sending domain of an address for aggregate reports; null for other addresses. */
export const aggregateDomain = (address: string): string | null =>
  AGGREGATE_ADDRESS.exec(address)?.[1]?.toLowerCase() ?? null;

/**
 * Reads the DMARC (RFC 7489 section 7.2) and TLS (RFC 8460) reports in a mail, known by their bytes. Never rejects,
 * whatever the bytes.
 */
export async function readAggregate(raw: Buffer): Promise<ReadAggregate> {
  const reports: AggregateReport[] = [];
  const budget = new ReadingBudget();
  try {
    budget.mail(raw);
    const { attachments } = await PostalMime.parse(raw, MIME);
    const parts = attachments.map(({ content }) => Buffer.from(content as ArrayBuffer)).filter(mayBeReport);
    for (const part of parts.slice(0, MAX_PARTS)) reports.push(...(await readPart(part, budget)));
    return { reports, fault: reports.length === 0 ? 'no report in it' : null, overrun: false };
  } catch (error) {
    const overrun = error instanceof Overrun;
    if (error instanceof ReportFault) return { reports: overrun ? [] : reports, fault: error.message, overrun };
    return {
      reports,
      fault: `unreadable: ${oneLine(error instanceof Error ? error.message : String(error))}`,
      overrun,
    };
  }
}

async function readPart(part: Buffer, budget: ReadingBudget): Promise<AggregateReport[]> {
  let dmarc: DmarcReader | null = null;
  const json: Buffer[] = [];
  let seen = 0;
  const decoder = new TextDecoder();
  for await (const piece of unpack(part, budget)) {
    if (seen === 0 && formatOf(piece) === 'xml') dmarc = new DmarcReader(budget);
    seen += piece.length;
    if (dmarc) dmarc.write(decoder.decode(piece, { stream: true }));
    else if (seen <= MAX_JSON) json.push(piece);
    else throw new Overrun(`a TLS report of more than ${MAX_JSON} bytes`);
  }
  return dmarc ? [dmarc.end()] : readTlsReport(Buffer.concat(json).toString('utf8'));
}
