import type { DomainReport } from '../../../domain/domain-reports/domain-report';
import { oneLine } from '../../../lib/one-line';

/** An aggregate report, and the domain whose policy it is about, in lower case. */
export interface AggregateReport {
  about: string;
  report: DomainReport;
}

/** Names in a report: on one line, of 200 characters at most. */
export const clipped = (text: string): string => oneLine(text).slice(0, 200);

/** A time in seconds, of these centuries. */
export const SECONDS = /^\d{9,10}$/;
