import { bodySetBack, record } from '../../domain/records/record';

/** What an import of contacts answers, as far as it is shown again. */
export interface ImportReport {
  /** The first refused lines. */
  errors?: readonly { line: number; reason: string }[];
  lines: number;
  created: number;
  existing: number;
  refused: number;
  still_subscribed?: number;
}

/** An import of contacts through the dashboard, and its report. */
export interface ImportBody {
  /** That of the file. */
  name: string;
  /** The audience that all join; null for none. */
  audience: string | null;
  /** Bytes of the file. */
  read: number;
  total: number;
  /** The line of the file that `read` is in, from 1. */
  line: number;
  /** When its process last said that it runs, real time in ms. */
  saidAt: number;
  /** Null while it runs. `broken`: a fault of the service. */
  ended:
    | null
    | 'broken'
    | { ok: true; json: ImportReport }
    | { ok: false; fault: { status: 403 | 404 | 422; message: string; field: string | null } };
}
export const IMPORTS = record<ImportBody, 'workspaceId'>('import', {
  setBack: bodySetBack((body, now) => (body.saidAt > now ? { ...body, saidAt: now } : null)),
});
