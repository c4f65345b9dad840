import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofCase();

const JOURNEY = 'name: Masuk\ntrigger: api\nsteps: [{type: wait, for: 3d}]\n';

describe('a former name of a command', () => {
  it('works as the name of today, in a group and of one: journey enrol and enrolments', async () => {
    await operator.run(['workspace', 'create', 'Melati']);
    const file = join(operator.dataDir, 'journey.yaml');
    writeFileSync(file, JOURNEY);
    await operator.ask('journey', 'create', 'Melati', file);
    await operator.ask('journey', 'activate', 'Melati', 'Masuk');
    expect(await operator.ask('journey', 'enrol', 'Melati', 'Masuk', 'budi@example.com', '--consent')).toMatchObject({
      enrolled: true,
    });
    const today = await operator.ask('journey', 'enrollments', 'Melati', 'Masuk');
    expect(today.data).toHaveLength(1);
    expect(await operator.ask('journey', 'enrolments', 'Melati', 'Masuk')).toEqual(today);
    expect(await operator.ask('parked', 'list')).toEqual(await operator.ask('dead-letters', 'list'));
  });

  it.each([
    [['--help'], 'dead-letters', /parked/],
    [['parked', '--help'], 'Usage: kurir dead-letters', /parked/],
    [['journey', '--help'], 'enrollments', /enrol(?!l)/],
    [['journey', 'enrol', '--help'], 'Usage: kurir journey enroll', /enrol(?!l)/],
  ])('is not in the help: %j', async (argv, shown, former) => {
    const { code, out } = await operator.run(argv);
    expect(code).toBe(0);
    expect(out).toContain(shown);
    expect(out).not.toMatch(former);
  });
});
