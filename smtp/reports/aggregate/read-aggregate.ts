import PostalMime from 'postal-mime';
import { oneLine } from '../../../lib/one-line';
import type { AggregateReport } from './aggregate-report';
import { DmarcReader } from './dmarc-reader';
import { ReportFault } from './report-fault';
import { readTlsReport } from './tls-report';
import { formatOf, mayBeReport, unpack } from './unpack';

/** The local parts, at a bounce domain, to which receivers send aggregate reports. */
const AGGREGATE_ADDRESS = /^(?:dmarc|tls|tls-?rpt)(?:\+[^@]{0,64})?@bounce\.(.+)$/i;
/** Attachments of a mail that are looked at. */
const MOST_PARTS = 5;
/** The most bytes of a TLS report: it is read as a whole. */
const MOST_JSON = 4 * 1024 * 1024;

/** What a mail to such an address holds; `fault` says why it holds nothing. */
export interface ReadAggregate {
  reports: AggregateReport[];
  fault: string | null;
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
  try {
    const { attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true });
    const parts = attachments.map(({ content }) => Buffer.from(content as ArrayBuffer)).filter(mayBeReport);
    for (const part of parts.slice(0, MOST_PARTS)) reports.push(...(await readPart(part)));
    return { reports, fault: reports.length === 0 ? 'no report in it' : null };
  } catch (error) {
    if (error instanceof ReportFault) return { reports, fault: error.message };
    return { reports, fault: `unreadable: ${oneLine(error instanceof Error ? error.message : String(error))}` };
  }
}

async function readPart(part: Buffer): Promise<AggregateReport[]> {
  let dmarc: DmarcReader | null = null;
  const json: Buffer[] = [];
  let seen = 0;
  const decoder = new TextDecoder();
  for await (const piece of unpack(part)) {
    if (seen === 0 && formatOf(piece) === 'xml') dmarc = new DmarcReader();
    seen += piece.length;
    if (dmarc) dmarc.write(decoder.decode(piece, { stream: true }));
    else if (seen <= MOST_JSON) json.push(piece);
    else throw new ReportFault(`a TLS report of more than ${MOST_JSON} bytes`);
  }
  return dmarc ? [dmarc.end()] : readTlsReport(Buffer.concat(json).toString('utf8'));
}
