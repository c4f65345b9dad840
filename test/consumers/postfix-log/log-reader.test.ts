import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '../../../lib/clock';
import type { Engine } from '../../../stores/ports/engine';
import { LogScene, openStores, readAll } from './scene';

const MAIL = '019aaf00-0000-7000-8000-0123456789ab';

let engine: Engine;
let scene: LogScene;
beforeEach(async () => {
  engine = await openStores();
  scene = new LogScene(engine);
});
afterEach(() => engine.close());

const texts = (): unknown[] =>
  scene.published.map(({ value }) => (value as { feedback: { text: string } }).feedback.text);

describe('the reader of the log', () => {
  // spec: docs/contract.md#delays: put off within seconds where the log of Postfix is followed
  test('a deferral becomes a report, once for the same words', async () => {
    const reader = scene.reader();
    await readAll(reader);
    scene.write(...scene.taken(MAIL, 'A1'), scene.deferral('A1', '451 4.7.1 Wait, budi@good.test'));
    scene.write(scene.deferral('A1', '451 4.7.1 Wait, budi@good.test'));
    await readAll(reader);
    expect(scene.published).toEqual([
      {
        topic: 'mta.feedback',
        key: MAIL,
        value: {
          messageId: MAIL,
          feedback: {
            kind: 'delayed',
            trusted: true,
            text: '4.7.1 451 4.7.1 Wait, ***@good.test',
            class: expect.any(String),
            hard: false,
            at: scene.clock.now(),
          },
        },
      },
    ]);
    scene.write(scene.deferral('A1', '451 4.7.1 Wait more'));
    await readAll(reader);
    expect(texts().at(-1)).toBe('4.7.1 451 4.7.1 Wait more');
    await reader.close();
  });

  test('a deferral of a mail that is not ours, or whose return path is not signed, says nothing', async () => {
    const reader = scene.reader();
    await readAll(reader);
    const forged = scene.taken(MAIL, 'A1').map((line) => line.replace(/-[0-9a-f]{16}@/, '-0000000000000000@'));
    scene.write(...forged, scene.deferral('A1', '451 no'), scene.deferral('A2', '451 no'));
    await readAll(reader);
    expect(scene.published).toEqual([]);
    await reader.close();
  });

  test.each(['as it was', 'rotated'])('goes on after a restart where it stood, the file %s', async (what) => {
    const reader = scene.reader();
    await readAll(reader);
    scene.write(...scene.taken(MAIL, 'A1'), scene.deferral('A1', '451 one'));
    await readAll(reader);
    scene.clock.advance(3 * SECOND);
    scene.write('qmgr[9]: Z: removed');
    await readAll(reader);
    await reader.close();
    scene.write(scene.deferral('A1', '451 two'));
    if (what === 'rotated') {
      renameSync(scene.path, `${scene.path}.1`);
      writeFileSync(scene.path, '');
    }
    const next = scene.reader();
    await readAll(next);
    expect(texts()).toEqual(['4.7.1 451 one', '4.7.1 451 two']);
    expect(next.evidence?.judge(MAIL, scene.clock.now(), scene.clock.now())).toBe('taken');
    expect(scene.logger.at('warn')).toEqual([]);
    await next.close();
  });

  test('what could not be passed on is read again', async () => {
    const reader = scene.reader();
    await readAll(reader);
    scene.clock.advance(3 * SECOND);
    scene.write(...scene.taken(MAIL, 'A1'));
    await readAll(reader);
    scene.write(scene.deferral('A1', '451 one'));
    // It died after the publication, and before its place was stored.
    await reader.close();
    scene.published.length = 0;
    const next = scene.reader();
    await readAll(next);
    expect(texts()).toEqual(['4.7.1 451 one']);
    await next.close();
  });

  test('the log of another server says nothing, also after a restart', async () => {
    const OURS = '019aaf00-0000-7000-8000-0123456789ff';
    let reader = scene.reader();
    await readAll(reader);
    const verdict = async (lines: readonly string[]): Promise<string | undefined> => {
      scene.clock.advance(MINUTE);
      const fencedAt = scene.clock.now();
      scene.write(...lines);
      await readAll(reader);
      return reader.evidence?.judge(MAIL, fencedAt, fencedAt + 5 * MINUTE);
    };
    const restart = async (): Promise<void> => {
      scene.clock.advance(3 * SECOND);
      await readAll(reader);
      await reader.close();
      reader = scene.reader();
      await readAll(reader);
    };
    const others = [
      'smtpd[7]: A1: client=localhost[127.0.0.1]',
      'cleanup[8]: A1: message-id=<20261123.1@cron.test>',
      'qmgr[9]: A1: from=<root@cron.test>, size=300, nrcpt=1 (queue active)',
      'smtpd[7]: disconnect from localhost[127.0.0.1] data=1',
    ];
    expect(await verdict(others)).toBe('unclear');
    expect(await verdict(scene.taken(OURS, 'B1'))).toBe('not_taken');
    await restart();
    expect(await verdict(others)).toBe('not_taken');
    reader.noteMissing(OURS);
    expect(await verdict(scene.taken(OURS, 'B2'))).toBe('unclear');
    await restart();
    expect(await verdict(scene.taken(OURS, 'B3'))).toBe('unclear');
    await reader.close();
  });

  test('a file that was cut short is a gap: nothing from before is known', async () => {
    const reader = scene.reader();
    await readAll(reader);
    const fencedAt = scene.clock.now() + MINUTE;
    scene.clock.advance(2 * MINUTE);
    scene.write(...scene.taken('019aaf00-0000-7000-8000-0123456789ff', 'B1'));
    await readAll(reader);
    expect(reader.evidence?.judge(MAIL, fencedAt, fencedAt + 5 * MINUTE)).toBe('not_taken');
    truncateSync(scene.path, 0);
    await readAll(reader);
    expect(reader.evidence?.judge(MAIL, fencedAt, fencedAt + 5 * MINUTE)).toBe('unclear');
    expect(scene.logger.at('warn')).toHaveLength(1);
    await reader.close();
  });
});
