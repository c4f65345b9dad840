import { parentPort, workerData } from 'node:worker_threads';
import { BounceRules } from '../../domain/bounces/bounce-rules';
import { serveJobs } from '../../lib/serve-jobs';
import type { ReadReport, ReportJob, ReportWorkerData } from './report-protocol';
import { readReport } from './report-reader';

/** The worker thread that reads reports. */
const rules = new BounceRules((workerData as ReportWorkerData).rules);
serveJobs<ReportJob, ReadReport>(parentPort!, async (job) => ({ result: await readReport(job, rules), transfer: [] }));
