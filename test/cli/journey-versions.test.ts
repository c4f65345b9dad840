import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNEY_DRAFTS } from '../../operations/journeys/keep-draft';
import { TEST_START } from '../support/clock';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
beforeAll(async () => {
  await operator.run(['workspace', 'create', 'Melati', '--address', 'Bandung']);
});

const file = (steps: string, more = ''): string => {
  const path = join(operator.dataDir, 'journey.yaml');
  writeFileSync(path, `name: Sambutan\ntrigger: api\n${more}steps: [${steps}]\n`);
  return path;
};
const ask = (...argv: string[]) => operator.ask('journey', ...argv);

describe('the versions of a journey', () => {
  it('have the steps that came, went or changed, newest first, page by page', async () => {
    await ask('create', 'Melati', file('{type: wait, for: 1d}'));
    await ask('edit', 'Melati', 'Sambutan', file('{type: wait, for: 2d}, {type: webhook, url: "https://a.example/"}'));
    await ask(
      'edit',
      'Melati',
      'Sambutan',
      file('{type: webhook, url: "https://a.example/"}', 'goal: {event: open}\n'),
    );
    expect(await ask('versions', 'Melati', 'Sambutan')).toMatchObject({
      data: [
        {
          version: 3,
          steps: 1,
          goal: { event: 'open', ends: false },
          goal_before: null,
          changes: [{ change: 'went', before: { step: 1, type: 'wait', for: '2d' }, now: null }],
        },
        {
          version: 2,
          steps: 2,
          changes: [
            { change: 'changed', before: { step: 1, for: '1d' }, now: { step: 1, for: '2d' } },
            { change: 'came', before: null, now: { step: 2, type: 'webhook', url: 'https://a.example/' } },
          ],
        },
        { version: 1, steps: 1, changes: [] },
      ],
      next_before: null,
    });
    const page = await ask('versions', 'Melati', 'Sambutan', '--limit', '1', '--before', '3');
    expect(page).toMatchObject({ data: [{ version: 2 }], next_before: 2 });
    const { out } = await operator.run(['journey', 'versions', 'Melati', 'Sambutan']);
    expect(out).toMatch(/3 {2}2.*WIB\n {2}~ goal: open\n {2}- 1 wait 2d\n2 {2}/);
  });
});

describe('the draft of the next version', () => {
  it('is kept with its faults, shown, and forgotten; the journey stays as it is', async () => {
    const before = await ask('show', 'Melati', 'Sambutan');
    expect(before['draft']).toBeNull();
    const kept = await ask('draft', 'Melati', 'Sambutan', file('{type: wait, for: 1}'), '--revision', '0');
    const errors = [{ line: 3, reason: expect.stringContaining('Step 1: The for field must be a duration') }];
    expect(kept).toEqual({ id: before['id'], name: 'Sambutan', revision: 1, errors });
    expect(await ask('show', 'Melati', 'Sambutan')).toEqual({
      ...before,
      draft: {
        revision: 1,
        changed_at: expect.any(String),
        changed_by: expect.any(String),
        from_version: 3,
        errors,
        text: 'name: Sambutan\ntrigger: api\nsteps: [{type: wait, for: 1}]\n',
        definition: { name: 'Sambutan', trigger: 'api', steps: [{ type: 'wait', for: '1' }] },
      },
    });
    expect(await ask('discard', 'Melati', 'Sambutan')).toMatchObject({ discarded: true });
    expect(await ask('discard', 'Melati', 'Sambutan')).toMatchObject({ discarded: false });
    expect(await ask('show', 'Melati', 'Sambutan')).toEqual(before);
  });

  it('is not written over when somebody else changed it meanwhile', async () => {
    const path = file('{type: wait, for: 1d}');
    await ask('draft', 'Melati', 'Sambutan', path, '--revision', '0');
    await ask('draft', 'Melati', 'Sambutan', path, '--revision', '1');
    for (const revision of ['0', '1', '3']) {
      const { code, err } = await operator.run([
        'journey',
        'draft',
        'Melati',
        'Sambutan',
        path,
        '--revision',
        revision,
      ]);
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('Someone else changed') });
    }
    expect(await ask('draft', 'Melati', 'Sambutan', path)).toMatchObject({ revision: 3 });
    const stale = await operator.run(['journey', 'discard', 'Melati', 'Sambutan', '--revision', '2']);
    expect(stale).toMatchObject({ code: 1, err: expect.stringContaining('changed this draft') });
    expect(await ask('discard', 'Melati', 'Sambutan', '--revision', '3')).toMatchObject({ discarded: true });
    expect(await ask('show', 'Melati', 'Sambutan')).toMatchObject({ draft: null });
    expect(await ask('draft', 'Melati', 'Sambutan', path, '--revision', '0')).toMatchObject({ revision: 1 });
  });

  it('goes with a journey that is deleted', async () => {
    const path = file('{type: wait, for: 1d}');
    await ask('draft', 'Melati', 'Sambutan', path);
    const { id } = await ask('delete', 'Melati', 'Sambutan');
    await operator.with(async ({ stores }) => {
      expect(await stores.records.get(JOURNEY_DRAFTS, String(id), TEST_START)).toBeNull();
    });
  });
});
