import { SAMPLES, type SampleName } from './sample-mail';

/** A workspace that posts. */
export interface Sender {
  apiKey: string;
  domainId: number;
}

const fields = (sample: SampleName): string => JSON.stringify(SAMPLES[sample]).slice(1);
const FIELDS: Readonly<Record<SampleName, string>> = { small: fields('small'), large: fields('large') };

let recipients = 0;

/** The body of a POST /v1/messages to a new recipient. */
export function messageBody(
  { domainId }: Pick<Sender, 'domainId'>,
  sample: SampleName = 'small',
  sendAt?: string,
): string {
  const to = `r${process.pid}-${++recipients}@recipient.example`;
  return `${JSON.stringify({ to, sending_domain_id: domainId, send_at: sendAt }).slice(0, -1)},${FIELDS[sample]}`;
}

/** The complete HTTP request, for a server on this port. */
export function messageRequest(sender: Sender, port: number, sample?: SampleName, sendAt?: string): string {
  const body = messageBody(sender, sample, sendAt);
  return (
    `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${sender.apiKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
