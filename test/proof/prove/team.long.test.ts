import { afterEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Outcome, Task } from '../../../proof/prove/play';
import { Team } from '../../../proof/prove/team';
import { prove } from './run-prove';

const PROGRAM = join(__dirname, '../../../dist/prove.bundle.js');
const TRIM = { operations: 6, without: [] };
/** It loses records of the log, so that what reads it waits for them without an end. */
const ENDLESS = 'next-record';

const teams: Team[] = [];
afterEach(() => teams.splice(0).forEach((team) => team.close()));

function teamOf(limit: number): Team {
  const team = new Team({ program: PROGRAM, size: 1, limit });
  teams.push(team);
  return team;
}

const taskOf = (seed: number, mutant: string | null): Task => ({ seed, trim: TRIM, engine: 'embedded', mutant });

describe('a seed that never ends', () => {
  it('is a finding, and the next seed is played', async () => {
    const tasks = [taskOf(1, ENDLESS), taskOf(2, null)];
    const outcomes: Outcome[] = [];
    await teamOf(4).play(
      () => tasks.shift() ?? null,
      (outcome) => outcomes.push(outcome),
    );
    const [endless, next] = outcomes;
    expect(endless).toMatchObject({ seed: 1, error: null, findings: [{ rule: 'never-ends' }] });
    expect(endless?.findings[0]?.text).toContain('4 s of processor time');
    expect(next).toMatchObject({ seed: 2, error: null, findings: [] });
  });

  it('is told by the command with its seed, and by its exit code', async () => {
    const { code, stdout } = await prove(
      ...['--seed', '1', '--seeds', '1', '--mutant', ENDLESS, '--limit', '4', '--json'],
    );
    const { verdict, found } = JSON.parse(stdout) as { verdict: string; found: { seed: number; rule: string }[] };
    expect([code, verdict, found]).toMatchObject([1, 'fault_found', [{ seed: 1, rule: 'never-ends' }]]);
  });
});

it('plays on after a process that dies with its seed', async () => {
  const team = new Team({ program: join(__dirname, 'no-program.js'), size: 1, limit: 60 });
  teams.push(team);
  const outcome = await team.playOne(taskOf(3, null));
  expect(outcome).toMatchObject({ seed: 3, findings: [] });
  expect(outcome.error).toContain('ended');
});
