import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Engine } from '../../../../stores/ports/engine';
import { coinRecord, idsOf, idsRead } from '../../../contract/event-log/support';
import { pollCount, withReader } from '../../../contract/log-reading';
import { temporaryInstallation } from '../../../support/running';

const installation = temporaryInstallation();
let service: Engine;
let commandLine: Engine;
beforeAll(async () => {
  service = await installation.open();
  commandLine = await installation.open();
});
afterAll(async () => {
  await commandLine.close();
  await service.close();
  await installation.remove();
});

it('reads the records of its process and of others in the order of the file, each once', async () => {
  const records = Array.from({ length: 9 }, (_, n) => coinRecord('w1', n));
  await withReader(service.log, 'coins', async (reader) => {
    await service.log.publish(records.slice(0, 2));
    const first = await pollCount(reader, 2);
    // Between two of its own, after it has read, and last.
    for (const [n, record] of records.slice(2).entries()) {
      await (n % 3 === 1 ? commandLine : service).log.publish([record]);
    }
    await commandLine.log.publish([coinRecord('w1', 9)]);
    const rest = await pollCount(reader, 8);
    expect(idsRead([...first, ...rest])).toEqual(idsOf([...records, coinRecord('w1', 9)]));
  });
});
