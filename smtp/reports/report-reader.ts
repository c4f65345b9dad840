import { builtInRules, type BounceRules } from '../../domain/bounces/bounce-rules';
import { BARE_COMPLAINT, isBareComplaint, readComplaintMarks } from './complaint-at-address';
import { readAggregate } from './aggregate/read-aggregate';
import { nothing, parseReport } from './parse-report';
import type { ReadReport, ReportJob } from './report-protocol';

/** The report was not read: the reader has too many at once. The peer may send it again soon. */
export class ReaderBusyError extends Error {
  override readonly name = 'ReaderBusyError';
}

/** The report was not read: that took too long, or the reader failed. */
export class ReportUnreadError extends Error {
  override readonly name = 'ReportUnreadError';
}

/** Reads mails for the report listener. */
export interface ReportReader {
  /** Rejects with ReaderBusyError or ReportUnreadError. */
  read(job: ReportJob): Promise<ReadReport>;
  close(): Promise<void>;
}

/** Reads a mail on the thread of the caller. A complaint is all that counts at a feedback address. */
export async function readReport(job: ReportJob, rules: BounceRules): Promise<ReadReport> {
  const { bytes, bounced, toFeedback, from, isAggregate } = job;
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAggregate) return { mail: nothing, marks: [], aggregate: await readAggregate(raw) };
  const mail = await parseReport(raw, { rules, bounced, fromNull: from === '', onlyComplaints: bounced.length === 0 });
  if (mail.reports.length === 0 && isBareComplaint(raw, from)) {
    const { marks, fault } = await readComplaintMarks(raw);
    return { mail: { ...nothing, reports: [BARE_COMPLAINT], fault }, marks, isBare: true };
  }
  const isComplaint = toFeedback && mail.reports.some(({ kind }) => kind === 'complaint');
  if (!isComplaint) return { mail, marks: [] };
  const { marks, fault } = await readComplaintMarks(raw);
  return { mail: { ...mail, fault: mail.fault ?? fault }, marks };
}

/** Reads every mail on the thread of the caller. */
export const inlineReportReader = (rules: BounceRules = builtInRules): ReportReader => ({
  read: (job) => readReport(job, rules),
  close: async () => {},
});
