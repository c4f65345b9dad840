import type { JourneyStep, JourneyVersion } from './journey';
import { numberSteps } from './journey-flow';

/** A step that came, went or was changed; `before` and `now` are null where it was not there. */
export interface StepChange {
  change: 'came' | 'went' | 'changed';
  before: { number: number; step: JourneyStep } | null;
  now: { number: number; step: JourneyStep } | null;
}

interface Placed {
  number: number;
  step: JourneyStep;
  /** Equal for steps that do the same at the same place in branches. */
  key: string;
}

/**
 * What is different in a version, in the order of its steps. A step whose number only moved is the same; the mail that
 * a branch asks for is known by what it says.
 */
export function stepChanges(before: Pick<JourneyVersion, 'steps'>, now: Pick<JourneyVersion, 'steps'>): StepChange[] {
  const [olds, news] = [placed(before.steps), placed(now.steps)];
  const changes: StepChange[] = [];
  let [o, n] = [0, 0];
  for (const [nextOld, nextNew] of [...common(olds, news), [olds.length, news.length] as const]) {
    changes.push(...between(olds.slice(o, nextOld), news.slice(n, nextNew)));
    [o, n] = [nextOld + 1, nextNew + 1];
  }
  return changes;
}

/** Between two steps that stayed: what went and what came of the same kind is one that was changed. */
function between(olds: readonly Placed[], news: readonly Placed[]): StepChange[] {
  const left = [...olds];
  const changes = news.map((now): StepChange => {
    const at = left.findIndex(({ step }) => step.kind === now.step.kind);
    const before = at < 0 ? null : left.splice(at, 1)[0]!;
    return { change: before ? 'changed' : 'came', before: before && shown(before), now: shown(now) };
  });
  return [...left.map((before): StepChange => ({ change: 'went', before: shown(before), now: null })), ...changes];
}

const shown = ({ number, step }: Placed): { number: number; step: JourneyStep } => ({ number, step });

function placed(steps: readonly JourneyStep[]): Placed[] {
  const numbered = numberSteps(steps);
  const ways = new Map<JourneyStep, string>();
  const note = (list: readonly JourneyStep[], way: string): void => {
    for (const step of list) {
      ways.set(step, way);
      if (step.kind === 'branch') {
        note(step.then, `${way}then/`);
        note(step.else, `${way}else/`);
      }
    }
  };
  note(steps, '');
  const contentOf = (step: JourneyStep): unknown => {
    if (step.kind !== 'branch') return step;
    const { on } = step;
    return [on.kind, on.kind === 'goal' ? null : (numbered[on.step - 1]?.step ?? null)];
  };
  return numbered.map(({ number, step }) => ({
    number,
    step,
    key: JSON.stringify([ways.get(step), step.kind, contentOf(step)]),
  }));
}

/** The longest common subsequence, as pairs of places. */
function common(olds: readonly Placed[], news: readonly Placed[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: olds.length + 1 }, () => new Array<number>(news.length + 1).fill(0));
  const lengthAt = (o: number, n: number): number => lengths[o]?.[n] ?? 0;
  const same = (o: number, n: number): boolean => olds[o]!.key === news[n]!.key;
  for (let o = olds.length - 1; o >= 0; o -= 1) {
    for (let n = news.length - 1; n >= 0; n -= 1) {
      lengths[o]![n] = same(o, n) ? lengthAt(o + 1, n + 1) + 1 : Math.max(lengthAt(o + 1, n), lengthAt(o, n + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let o = 0, n = 0; o < olds.length && n < news.length;) {
    if (same(o, n)) pairs.push([o++, n++]);
    else if (lengthAt(o + 1, n) >= lengthAt(o, n + 1)) o += 1;
    else n += 1;
  }
  return pairs;
}
