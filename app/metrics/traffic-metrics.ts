import type { RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Histogram, type Registry } from 'prom-client';
import { API_PREFIX } from '../../api/route';
import { routes } from '../../api/routes';
import { wrapMethods } from '../../lib/wrap-methods';
import type { Transport } from '../../email/transports/transport';
import { GROUPS, namesOf, type GroupName } from '../../streams/topics';
import type { WebhookSender } from '../../operations/webhooks/client/webhook-sender';
import { SHORT_TIMES } from './buckets';
import { seriesOf, seriesOfPairs, Tally } from './tally';

/** The first segment of the paths of the API: a number of values that callers cannot raise. */
const RESOURCES = new Set(routes.map(({ path }) => path.split('/')[1] ?? ''));

const RECORD_RESULTS = ['done', 'dropped', 'parked', 'thrown'] as const;
export type RecordResult = (typeof RECORD_RESULTS)[number];
const WEBHOOK_RESULTS = ['ok', 'refused', 'no_answer'] as const;

/** What goes through this process: requests, hand-offs, webhooks and records of the log. */
export class TrafficMetrics {
  private readonly requests: Histogram<'resource' | 'method' | 'status'>;
  private readonly handOffTime: Histogram;
  private readonly webhookTime: Histogram;
  private readonly webhooks: Tally<(typeof WEBHOOK_RESULTS)[number]>;
  private readonly records: Tally<`${GroupName} ${RecordResult}`>;

  constructor(register: Registry) {
    const registers = [register];
    this.requests = new Histogram({
      name: 'kurir_http_request_seconds',
      registers,
      labelNames: ['resource', 'method', 'status'] as const,
      help: 'HTTP requests until the end of their response, by the first part of an API path and the status class.',
      buckets: SHORT_TIMES,
    });
    this.handOffTime = new Histogram({
      name: 'kurir_hand_off_seconds',
      registers,
      buckets: SHORT_TIMES,
      help: 'How long a hand-off to the sending server took, including the wait for a connection.',
    });
    this.webhookTime = new Histogram({
      name: 'kurir_webhook_attempt_seconds',
      registers,
      buckets: SHORT_TIMES,
      help: 'How long one attempt of a webhook delivery or a journey webhook step took.',
    });
    this.webhooks = new Tally(register, {
      name: 'kurir_webhook_attempts_total',
      help: 'Attempts of webhook deliveries and journey webhook steps.',
      series: seriesOf('result', WEBHOOK_RESULTS),
    });
    this.records = new Tally(register, {
      name: 'kurir_records_total',
      help: 'Event log records handled by a group; failed ones are tried again.',
      series: seriesOfPairs(['group', namesOf(GROUPS)], ['result', RECORD_RESULTS]),
    });
  }

  record(group: GroupName, result: RecordResult): void {
    this.records.add(`${group} ${result}`);
  }

  /** The same listener, with its requests measured. */
  measured(listener: RequestListener): RequestListener {
    return (req, res) => {
      const begun = performance.now();
      res.once('close', () => {
        const status = `${Math.floor(res.statusCode / 100)}xx`;
        const labels = { resource: resourceOf(req.url ?? ''), method: methodOf(req.method), status };
        this.requests.observe(labels, (performance.now() - begun) / 1_000);
      });
      listener(req, res);
    };
  }

  transport(transport: Transport): Transport {
    return wrapMethods(transport, {
      handOff: (handOff) => async (envelope, raw, fence) => {
        const begun = performance.now();
        const outcome = await handOff(envelope, raw, fence);
        this.handOffTime.observe((performance.now() - begun) / 1_000);
        return outcome;
      },
    });
  }

  webhookSender(sender: WebhookSender): WebhookSender {
    return wrapMethods(sender, {
      send: (send) => async (request) => {
        const answer = await send(request);
        this.webhookTime.observe(answer.durationMs / 1_000);
        this.webhooks.add(answer.ok ? 'ok' : answer.status === null ? 'no_answer' : 'refused');
        return answer;
      },
    });
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);
const methodOf = (method = ''): string => (METHODS.has(method) ? method : 'other');

/** Never more than the path's first part: ids and addresses stay out. */
function resourceOf(url: string): string {
  if (!url.startsWith(`${API_PREFIX}/`)) return 'pages';
  const [segment = ''] = url.slice(API_PREFIX.length + 1).split(/[/?]/, 1);
  return RESOURCES.has(segment) ? segment : 'other';
}
