import Joi from 'joi';
import { clipped, type AggregateReport } from './aggregate-report';
import { Overrun, ReportFault } from './report-fault';

const MAX_POLICIES = 20;
const MAX_DETAILS = 10_000;
/** Values of a report: ten in each of the details. */
const MAX_VALUES = 120_000;
const STARTS_A_VALUE = new Set(Array.from('[{,', (character) => character.charCodeAt(0)));

const count = Joi.number().integer().min(0).max(1e9);
const text = Joi.string().max(1_000);

/** What is read of RFC 8460 section 4.4. */
const REPORT = Joi.object<{
  'organization-name': string;
  'date-range': { 'start-datetime': Date; 'end-datetime': Date };
  'report-id': string;
  policies: {
    policy: { 'policy-domain': string };
    summary: { 'total-successful-session-count': number; 'total-failure-session-count': number };
    'failure-details': { 'result-type': string; 'failed-session-count': number }[];
  }[];
}>({
  'organization-name': text.required(),
  'date-range': Joi.object({
    'start-datetime': Joi.date().iso().required(),
    'end-datetime': Joi.date().iso().required(),
  })
    .required()
    .unknown(),
  'report-id': text.required(),
  policies: Joi.array()
    .max(MAX_POLICIES)
    .required()
    .items(
      Joi.object({
        policy: Joi.object({ 'policy-domain': text.required() }).required().unknown(),
        summary: Joi.object({
          'total-successful-session-count': count.required(),
          'total-failure-session-count': count.required(),
        })
          .required()
          .unknown(),
        'failure-details': Joi.array()
          .max(MAX_DETAILS)
          .default([])
          .items(Joi.object({ 'result-type': text.required(), 'failed-session-count': count.required() }).unknown()),
      }).unknown(),
    ),
}).unknown();

/** Reads a TLS report (RFC 8460): one report for each policy domain in it. Throws ReportFault. */
export function readTlsReport(json: string): AggregateReport[] {
  const checked = REPORT.validate(parsed(json));
  if (checked.error) throw new ReportFault(`no TLS report: ${checked.error.message}`);
  const { value } = checked;
  return value.policies.map(({ policy, summary, 'failure-details': details }) => {
    const failures = new Map<string, number>();
    for (const detail of details) {
      const reason = clipped(detail['result-type']);
      failures.set(reason, (failures.get(reason) ?? 0) + detail['failed-session-count']);
    }
    const about = policy['policy-domain'].toLowerCase().replace(/\.$/, '');
    return {
      about,
      report: {
        kind: 'tls',
        org: clipped(value['organization-name']),
        reportId: clipped(value['report-id']),
        begin: value['date-range']['start-datetime'].getTime(),
        end: value['date-range']['end-datetime'].getTime(),
        passed: summary['total-successful-session-count'],
        failed: summary['total-failure-session-count'],
        sources: [],
        failures: [...failures].slice(0, 50).map(([reason, sessions]) => ({ reason, count: sessions })),
      },
    };
  });
}

function parsed(json: string): unknown {
  limitValues(json);
  try {
    return JSON.parse(json);
  } catch {
    throw new ReportFault('broken JSON');
  }
}

/** Each value takes far more than its length: `[[[[` or `1,1,1,`. What stands in texts is counted as well. */
function limitValues(json: string): void {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    if (!STARTS_A_VALUE.has(json.charCodeAt(at))) continue;
    values += 1;
    if (values > MAX_VALUES) throw new Overrun(`a TLS report of more than ${MAX_VALUES} values`);
  }
}
