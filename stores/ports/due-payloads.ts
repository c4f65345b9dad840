import type { Language } from '../../domain/settings/language';

/** The id of the task says it all. */
type NoPayload = Readonly<Record<string, never>>;

/** A long replay: its range (ms), the names of its events with commas, and the last event that was queued. */
export type ReplayPayload = { from: number; to: number; names: string; afterId: string | null };

/**
 * The kinds of due work with their payloads, in the newest version: ids and numbers, never an address, a name or
 * user-written text. Their schemas, and who runs them, are in schemas/due-work/table.ts.
 */
export interface DuePayloads {
  webhook: NoPayload;
  'webhook-replay': ReplayPayload;
  campaigns: NoPayload;
  'campaign-starts': NoPayload;
  'journey-step': NoPayload;
  /** The last contact whose step was scheduled, and whether to look once more behind the last one. */
  'journey-resume': { after: number; again: boolean };
  'journey-post': NoPayload;
  'journey-goal': { messageId: string };
  /** The visitor's language; without one that of the workspace. */
  'confirm-mail': { language?: Language };
  'confirm-expiry': NoPayload;
  conversion: NoPayload;
  /** `<notice>:<way>` */
  'alarm-notice': NoPayload;
}

export type DueKind = keyof DuePayloads;
