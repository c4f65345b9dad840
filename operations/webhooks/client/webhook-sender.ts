/** One attempt to deliver a webhook. */
export interface WebhookRequest {
  /** As the subscription has it. It is judged again at every attempt. */
  url: string;
  /** Names in lower case; see `signedHeaders`. */
  headers: Record<string, string>;
  body: Buffer;
  /** Ends the attempt early. */
  signal?: AbortSignal;
}

/** What came of one attempt. */
export interface WebhookAnswer {
  /** True for a status from 200 to 299 whose headers arrived in time. */
  ok: boolean;
  /** Null when no answer came. */
  status: number | null;
  /** One English sentence for the owner of the webhook; null when `ok`. */
  error: string | null;
  /** How long the attempt took as a whole, in whole ms of real time. */
  durationMs: number;
  /** The text of the first 1,024 bytes of the answer's body; null when no answer came. */
  answer: string | null;
}

/** Sends webhooks (docs/contract.md#webhook-delivery). */
export interface WebhookSender {
  /** Never rejects for what the endpoint, its network or its name does. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Ends the attempts that are running, and closes every connection. */
  close(): Promise<void>;
}
