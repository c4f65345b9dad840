import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge } from '../judge/judge';
import type { Counts } from '../judge/counts';
import { tellStory } from '../judge/tell-story';
import { NeverEnds } from '../world/never-ends';
import { playSeed } from '../world/play-seed';
import { partsOf, type Part, type Trim } from '../world/profile';
import { makeDkimKey, makeTemplate, type EngineName, type Template } from '../world/template';
import { WORLD_START } from '../world/world';
import { scratchFolder } from './scratch';

/** What is played. */
export interface Task {
  seed: number;
  trim: Trim;
  /** The name of the safety device that is broken, or null. */
  mutant: string | null;
  /** Whose stores; null: as the seed says. */
  engine: EngineName | null;
  /** The file that the history is written to. */
  history?: string | null;
}

/** What came of a seed, as plain data. */
export interface Outcome {
  seed: number;
  /** Acts of everybody outside: what was asked of the service and of those around it. */
  operations: number;
  events: number;
  /** ms of the world's time */
  simulated: number;
  /** What could happen in its world. */
  parts: readonly Part[];
  counts: Counts;
  /** How often each fault happened, by kind and place. */
  faults: Record<string, number>;
  findings: { rule: string; subject: string; text: string; story: string }[];
  /** The world itself failed: the run says nothing. */
  error: string | null;
  trace: string;
}

/** Stories that are told of one seed. */
const TOLD = 3;

/** One seed in three is played on the stores of the cluster. */
const engineOf = (seed: number): EngineName => (seed % 3 === 0 ? 'cluster' : 'embedded');

/** Plays seeds in this process, one after the other. */
export class Player {
  private readonly root = scratchFolder();
  private readonly templates = new Map<string, Promise<Template>>();
  private readonly key = makeDkimKey();

  /** Never rejects. */
  async play({ seed, trim, mutant, engine: wanted, history: file = null }: Task): Promise<Outcome> {
    (globalThis as { kurirMutant?: string | null }).kurirMutant = mutant;
    const folder = join(this.root, `seed-${seed}`);
    const engine = wanted ?? engineOf(seed);
    try {
      const played = await playSeed({ seed, trim, folder, engine, template: (coins) => this.template(coins, engine) });
      const { history, faults, events, simulated, trace, profile } = played;
      if (file !== null) writeFileSync(file, history.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const { findings, counts } = await judge(history);
      return {
        seed,
        events,
        simulated,
        parts: partsOf(profile),
        counts,
        trace,
        error: null,
        operations: history.filter(({ type }) => type === 'invoke').length,
        faults: Object.fromEntries(faults),
        findings: findings.map((finding, n) => ({
          rule: finding.rule,
          subject: finding.subject,
          text: finding.text,
          story: n < TOLD ? tellStory(finding, history) : '',
        })),
      };
    } catch (error) {
      if (error instanceof NeverEnds) return neverEnding(seed, error.message);
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return unplayed(seed, text);
    } finally {
      (globalThis as { kurirMutant?: string | null }).kurirMutant = null;
    }
  }

  private template(coins: readonly number[], engine: EngineName): Promise<Template> {
    const name = [engine, ...coins].join('-');
    const made = this.templates.get(name) ?? makeTemplate(join(this.root, name), coins, this.key, WORLD_START, engine);
    this.templates.set(name, made);
    return made;
  }
}

/** The outcome of a seed of which nothing is known, but why. */
export const unplayed = (seed: number, error: string | null): Outcome => ({
  seed,
  operations: 0,
  events: 0,
  simulated: 0,
  parts: [],
  counts: {},
  faults: {},
  findings: [],
  trace: '',
  error,
});

/** The rule that a seed breaks which does not come to its end. */
export const NEVER_ENDS = 'never-ends';

/** The outcome of a seed that had to be ended; nothing else is known of it. */
export const neverEnding = (seed: number, text: string): Outcome => ({
  ...unplayed(seed, null),
  findings: [{ rule: NEVER_ENDS, subject: 'run', text, story: '' }],
});
