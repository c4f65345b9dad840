import type { AlarmKind, Trouble } from '../../../domain/alarms/alarm';
import { Semaphore } from '../../../lib/semaphore';

/** Something of which no answer was had this time: an alarm that stands stays, and none begins. */
export interface Unknown {
  kind: AlarmKind;
  subject: string;
  unknown: true;
  /** What the look at it threw. */
  error?: unknown;
}

/** One look at a source. */
export interface Evaluation {
  now: number;
  /** What the look before returned as `next`; 0 at first. */
  from: number;
  /** The subjects of alarms of its kinds that stand. */
  active: readonly string[];
  /** Aborts when nothing more is to be begun, and what has no answer is unknown. */
  late: AbortSignal;
}

export interface Findings {
  /** All that is wrong now. A standing alarm that is not in it has ended. */
  found: readonly (Trouble | Unknown)[];
  /** Where the next look goes on, for a source that takes turns. */
  next?: number;
}

/** Where alarms of some kinds come from. */
export interface AlarmSource {
  /** Unique. */
  name: string;
  kinds: readonly AlarmKind[];
  /** Between two looks, over all processes, ms. */
  every: number;
  /** Rejects when nothing is known: then no alarm of its kinds changes. */
  evaluate(evaluation: Evaluation): Promise<Findings>;
}

/** What may be wrong. */
export type Subject = Omit<Trouble, 'text'>;

export const NO_ANSWER = Symbol('no answer');
/** What is wrong, in a sentence; null: nothing. */
export type Judgment = string | null | typeof NO_ANSWER;

/**
 * Judges in order, at most `atOnce` at a time, until it is late. What has no judgment by then is unknown; nothing of
 * what comes after the first `begun` was looked at.
 */
export async function judgeInTime<T extends Subject>(
  subjects: readonly T[],
  { atOnce, late }: { atOnce: number; late: AbortSignal },
  judge: (subject: T) => Promise<Judgment>,
): Promise<{ found: (Trouble | Unknown)[]; begun: number }> {
  const slots = new Semaphore(atOnce);
  const end = new Promise<typeof NO_ANSWER>((resolve) => {
    if (late.aborted) resolve(NO_ANSWER);
    else late.addEventListener('abort', () => resolve(NO_ANSWER), { once: true });
  });
  let begun = 0;
  const each = async (subject: T): Promise<(Trouble | Unknown)[]> => {
    await slots.acquire();
    const { kind, subject: name, workspaceId } = subject;
    try {
      if (!late.aborted) begun += 1;
      const text = late.aborted ? NO_ANSWER : await Promise.race([judge(subject), end]);
      if (text === NO_ANSWER) return [{ kind, subject: name, unknown: true }];
      return text === null ? [] : [{ kind, subject: name, workspaceId, text }];
    } catch (error) {
      return [{ kind, subject: name, unknown: true, error }];
    } finally {
      slots.release();
    }
  };
  const found = (await Promise.all(subjects.map(each))).flat();
  return { found, begun };
}
