import { expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { StartCosts, type StartCost } from '../../../app/program/start-costs';
import { temporaryDir } from '../../support/running';
import { Service } from '../../support/service';

it('what was used since the last step counts as this one, and steps of one name are added up', () => {
  const used = [100.4, 130, 131, 171];
  const costs = new StartCosts(() => used.shift()!);
  for (const step of ['program', 'group', 'http', 'group']) costs.note(step);
  expect(costs.cost()).toEqual({ cpu_ms: 171, by_step: { program: 100, group: 70, http: 1 } });
});

it('--verbose prints the processor time of the start, from the program itself to the last part', async () => {
  const dir = temporaryDir();
  const service = await Service.start(dir, {}, ['--verbose']);
  await service.untilPrinted('processor time of the start');
  const { cpu_ms: total, by_step: steps } = (service.logged as unknown as (StartCost & { msg: string })[]).find(
    ({ msg }) => msg.startsWith('processor time'),
  )!;
  const sum = Object.values(steps).reduce((all, ms) => all + ms, 0);
  expect(Object.keys(steps)).toEqual(expect.arrayContaining(['program', 'settings', 'engine', 'http', 'announce']));
  expect(Math.abs(total - sum)).toBeLessThan(Object.keys(steps).length);
  await service.kill();
  rmSync(dir, { recursive: true, force: true });
});
