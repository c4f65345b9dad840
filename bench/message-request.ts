import { SAMPLE } from './sample-mail';

/** A workspace that posts. */
export interface Sender {
  apiKey: string;
  domainId: number;
}

const SAMPLE_FIELDS = JSON.stringify(SAMPLE).slice(1);

let recipients = 0;

/** The body of a POST /v1/messages to a new recipient. */
export function messageBody({ domainId }: Pick<Sender, 'domainId'>): string {
  const to = `r${process.pid}-${++recipients}@recipient.example`;
  return `${JSON.stringify({ to, sending_domain_id: domainId }).slice(0, -1)},${SAMPLE_FIELDS}`;
}

/** The complete HTTP request, for a server on this port. */
export function messageRequest(sender: Sender, port: number): string {
  const body = messageBody(sender);
  return (
    `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${sender.apiKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
